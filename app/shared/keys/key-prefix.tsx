/** A key by its first twelve characters, never more. */
export function KeyPrefix({ prefix }: { prefix: string }) {
  return (
    <span className="key-id">
      <span className="live">{prefix}</span>
      <i>…</i>
    </span>
  )
}
