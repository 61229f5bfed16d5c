/** The logo: a sandpiper. */
export function Mark() {
  return (
    <svg
      viewBox="0 0 32 32"
      fill="none"
      stroke="currentColor"
      strokeWidth="2.2"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path
        d="M4.5 18.5c2.5-5 6.5-7.5 11.3-7.3a4.6 4.6 0 0 1 9-.6c.3 4.9-3 9.9-9.3 10.4-4.2.3-8-.5-11-2.5z"
        fill="currentColor"
        stroke="none"
      />
      <path d="m24.5 9.4 6 2.9" />
      <path d="m13.5 21-.8 6.5M18 20.500l.8 7" />
      <circle cx="20.8" cy="10.3" r="1.1" fill="var(--ground)" stroke="none" />
    </svg>
  )
}
