import { Tag } from '../ui/tag.tsx'

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }

/** A JSON value as a tree that folds; words of charts are marked as what they are. */
export function ResultTree({ value, name, depth = 0 }: { value: Json; name?: string; depth?: number }) {
  const label = name !== undefined && <span className="key">{name}: </span>
  if (value === null || typeof value !== 'object')
    return (
      <div className="leaf">
        {label}
        <code>{JSON.stringify(value)}</code>
      </div>
    )
  if (isUntrusted(value))
    return (
      <div className="leaf untrusted">
        {label}
        <Tag tone="turn">words of a chart</Tag> <q>{value.text}</q>
      </div>
    )
  const entries = Array.isArray(value)
    ? value.map((each, place) => [`${place}`, each] as const)
    : Object.entries(value as { readonly [name: string]: Json })
  if (entries.length === 0)
    return (
      <div className="leaf">
        {label}
        <code>{Array.isArray(value) ? '[]' : '{}'}</code>
      </div>
    )
  return (
    <details open={depth < 3}>
      <summary>
        {label || 'result '}
        <span className="muted small">
          {entries.length} {Array.isArray(value) ? 'in a list' : entries.length === 1 ? 'member' : 'members'}
        </span>
      </summary>
      {entries.map(([key, each]) => (
        <ResultTree key={key} name={key} value={each} depth={depth + 1} />
      ))}
    </details>
  )
}

function isUntrusted(value: object): value is { untrusted: true; text: string } {
  return 'untrusted' in value && value.untrusted === true && 'text' in value && typeof value.text === 'string'
}
