import type { ReactNode } from 'react'

/** Deeper, or longer, is folded until somebody opens it. */
const openDepth = 3
const openItems = 25

/** A JSON value as a tree that folds without a script. */
export function JsonTree({ value }: { value: unknown }) {
  return (
    <div className="ex-tree">
      <Node value={value} depth={0} />
    </div>
  )
}

function Node({ name, value, depth }: { name?: ReactNode; value: unknown; depth: number }) {
  const label = name === undefined ? null : <span className="k">{name}: </span>
  if (typeof value !== 'object' || value === null)
    return (
      <p>
        {label}
        <Leaf value={value} />
      </p>
    )
  const isList = Array.isArray(value)
  const entries: [string, unknown][] = isList
    ? value.map((item, index) => [String(index), item])
    : Object.entries(value)
  const size = isList ? `[${entries.length}]` : `{${entries.length}}`
  if (entries.length === 0)
    return (
      <p>
        {label}
        <span className="p">{isList ? '[]' : '{}'}</span>
      </p>
    )
  return (
    <details open={depth < openDepth && entries.length <= openItems}>
      <summary>
        {label}
        <span className="p">{size}</span>
      </summary>
      <div>
        {entries.map(([key, item]) => (
          <Node key={key} name={key} value={item} depth={depth + 1} />
        ))}
      </div>
    </details>
  )
}

function Leaf({ value }: { value: unknown }) {
  if (typeof value === 'string') return <span className="s">"{value}"</span>
  return <span className="n">{String(value)}</span>
}
