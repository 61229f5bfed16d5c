/** A sentence from the contract. Backticks mark code, as in Markdown. */
export function CodedText({ children }: { children: string | undefined }) {
  const parts = (children ?? '').split('`')
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence stay where they are
  return parts.map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))
}
