import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useHydrated } from '../../components/ui/hydrated.ts'
import { Quote } from '../../components/ui/icons.ts'
import { Tag } from '../../components/ui/page-parts.tsx'

/** Deeper levels and longer lists are folded at first. */
const openDepth = 3
const openItems = 25
/** Entries of a longer list are folded one by one, so that a page of records can be scanned. */
const openInList = 3
/** A relative reference, `Type/id`, as in the element `reference` of FHIR. */
const relative = /^[A-Za-z]+\/[A-Za-z0-9.-]{1,64}$/

type ToReference = ((to: string) => ReactNode) | undefined

interface TreeProps {
  value: unknown
  /** A button or link in place of a relative reference. */
  reference?: ToReference
}

/** A JSON value as a tree that folds without a script. Text from charts is marked as such. */
export function JsonTree({ value, reference }: TreeProps) {
  return (
    <div className="ex-tree">
      <Node value={value} depth={0} reference={reference} />
    </div>
  )
}

interface NodeProps extends TreeProps {
  name?: string
  depth: number
  folded?: boolean
}

function Node({ name, value, depth, folded = false, reference }: NodeProps) {
  const label = name === undefined ? null : <span className="k">{name}: </span>
  if (isUntrusted(value))
    return (
      <p>
        {label}
        <Tag icon={Quote}>chart text</Tag> <q>{value.text}</q>
      </p>
    )
  if (typeof value !== 'object' || value === null)
    return (
      <p>
        {label}
        <Leaf name={name} value={value} reference={reference} />
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
  const isOpenAtFirst = !folded && depth < openDepth && entries.length <= openItems
  return (
    <Branch
      isOpenAtFirst={isOpenAtFirst}
      summary={
        <>
          {label}
          <span className="p">{size}</span>
          {!isOpenAtFirst && !isList && <Preview entries={entries} />}
        </>
      }
    >
      {() =>
        entries.map(([key, item]) => (
          <Node
            key={key}
            name={key}
            value={item}
            // A record that the reader opens shows its fields.
            depth={isOpenAtFirst ? depth + 1 : 1}
            folded={isList && entries.length > openInList}
            reference={reference}
          />
        ))
      }
    </Branch>
  )
}

/** With scripts, a folded branch is rendered when it is opened, because a page of records has ten thousand leaves. */
function Branch({
  isOpenAtFirst,
  summary,
  children,
}: {
  isOpenAtFirst: boolean
  summary: ReactNode
  children: () => ReactNode
}) {
  const isHydrated = useHydrated()
  const [isOpen, setOpen] = useState(isOpenAtFirst)
  const details = useRef<HTMLDetailsElement>(null)
  // A person may have opened the branch before the script ran.
  useEffect(() => setOpen(details.current?.open ?? false), [])
  return (
    <details ref={details} open={isOpenAtFirst} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{summary}</summary>
      {(isOpen || !isHydrated) && <div>{children()}</div>}
    </details>
  )
}

/** The first text of a folded branch, which is mostly its id. */
function Preview({ entries }: { entries: readonly [string, unknown][] }) {
  const first = entries.find(([, value]) => typeof value === 'string')
  if (first === undefined) return null
  return (
    <>
      {' '}
      <Leaf value={first[1]} />
    </>
  )
}

function Leaf({ name, value, reference }: { name?: string | undefined } & TreeProps) {
  if (typeof value !== 'string') return <span className="n">{String(value)}</span>
  if (reference && name === 'reference' && relative.test(value)) return <>"{reference(value)}"</>
  return <span className="s">"{value}"</span>
}

function isUntrusted(value: unknown): value is { untrusted: true; text: string } {
  if (typeof value !== 'object' || value === null) return false
  return 'untrusted' in value && value.untrusted === true && 'text' in value && typeof value.text === 'string'
}
