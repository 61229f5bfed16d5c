import type { ReactNode } from 'react'

/** Deeper, or longer, is folded until somebody opens it. */
const openDepth = 3
const openItems = 25
/** What stands in a longer list is folded one by one, so that a page of records can be looked over. */
const openInList = 3

/** A JSON value as a tree that folds without a script. */
export function JsonTree({ value }: { value: unknown }) {
  return (
    <div className="ex-tree">
      <Node value={value} depth={0} />
    </div>
  )
}

interface NodeProps {
  name?: ReactNode
  value: unknown
  depth: number
  folded?: boolean
}

function Node({ name, value, depth, folded = false }: NodeProps) {
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
    <details open={!folded && depth < openDepth && entries.length <= openItems}>
      <summary>
        {label}
        <span className="p">{size}</span>
        {folded && <Preview of={entries} />}
      </summary>
      <div>
        {entries.map(([key, item]) => (
          <Node
            key={key}
            name={key}
            value={item}
            depth={depth + 1}
            folded={isList && entries.length > openInList}
          />
        ))}
      </div>
    </details>
  )
}

/** The first plain value of what is folded: mostly its id. */
function Preview({ of }: { of: readonly [string, unknown][] }) {
  const first = of.find(([, value]) => typeof value === 'string')
  if (first === undefined) return null
  return (
    <>
      {' '}
      <Leaf value={first[1]} />
    </>
  )
}

function Leaf({ value }: { value: unknown }) {
  if (typeof value === 'string') return <span className="s">"{value}"</span>
  return <span className="n">{String(value)}</span>
}
