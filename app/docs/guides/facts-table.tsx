import { useRouteLoaderData } from '@remix-run/react'
import { Cell, DataTable, Row } from '../../components/ui/data-table.tsx'
import type { Facts } from './facts.ts'
import { Inline } from './inline.tsx'

/** The facts that the frame's loader found in the guide, by their names. */
function useFacts(name: string): Facts | undefined {
  const data = useRouteLoaderData('docs-frame') as { facts?: Record<string, Facts> } | undefined
  return data?.facts?.[name]
}

/** A table from the contract, where a guide says `<Facts of="…" />`. */
export function FactsTable({ of }: { of: string }) {
  const facts = useFacts(of)
  return facts ? <ShownFacts facts={facts} /> : null
}

export function ShownFacts({ facts: { label, heads, rows } }: { facts: Facts }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    // biome-ignore lint/a11y/useSemanticElements: a region inside a sentence of the guide is no section of it
    <div className="facts-table" role="region" aria-label={`${label}, in full`} tabIndex={0}>
      <DataTable label={label} heads={heads}>
        {rows.map((cells) => (
          <Row key={cells.join(' ')}>
            {cells.map((cell, place) => (
              <Cell key={heads[place]} {...(place > 0 && { label: heads[place] ?? '' })}>
                <Inline text={cell} />
              </Cell>
            ))}
          </Row>
        ))}
      </DataTable>
    </div>
  )
}
