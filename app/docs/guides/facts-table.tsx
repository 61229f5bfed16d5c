import { Link } from '@remix-run/react'
import type { ReactNode } from 'react'
import { Cell, DataTable, Row } from '../../components/ui/list.tsx'
import type { Facts } from './facts.ts'

/** A table from the contract, where a guide says `<Facts of="…" />`. */
export function ShownFacts({ facts: { label, heads, rows } }: { facts: Facts }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    // biome-ignore lint/a11y/useSemanticElements: a region inside a sentence of the guide is no section of it
    <div className="facts-table" role="region" aria-label={`${label}, in full`} tabIndex={0}>
      <DataTable label={label} heads={heads}>
        {rows.map((cells) => (
          <Row key={cells.join(' ')}>
            {cells.map((cell, index) => (
              <Cell key={heads[index]} {...(index > 0 && { label: heads[index] ?? '' })}>
                <Inline text={cell} />
              </Cell>
            ))}
          </Row>
        ))}
      </DataTable>
    </div>
  )
}

/** The two kinds of markup in a cell: `code` and [words](/path). */
const mark = /`([^`]+)`|\[([^\]]+)\]\((\/[^)\s]*)\)/g

/** Renders the markup of a cell's text. */
export function Inline({ text }: { text: string }) {
  const parts: ReactNode[] = []
  let end = 0
  for (const found of text.matchAll(mark)) {
    const [match, code, words = '', to = ''] = found
    parts.push(text.slice(end, found.index))
    parts.push(
      code === undefined ? (
        <Link key={found.index} to={to}>
          <Inline text={words} />
        </Link>
      ) : (
        <code key={found.index}>{code}</code>
      ),
    )
    end = found.index + match.length
  }
  parts.push(text.slice(end))
  return <>{parts}</>
}
