import type { ExcerptPart } from './excerpt.ts'

/** A text with its hits marked. */
export function Marked({ parts }: { parts: readonly ExcerptPart[] }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text, in its order
  return parts.map(({ text, isHit }, place) => (isHit ? <mark key={place}>{text}</mark> : text))
}
