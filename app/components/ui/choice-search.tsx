import { ListSearch } from './list.tsx'

/** A select's options, the newest rows or those that match `q`. `total` also counts the rows left out. */
export interface Offered {
  rows: readonly { value: string; label: string }[]
  total: number
  q: string
}

/** The query parameter that holds the search. */
export const choiceSearchName = 'find'

/** The search above a form whose select can't hold every row; nothing if it can. Works without a script. */
export function ChoiceSearch({ label, offered }: { label: string; offered: Offered }) {
  if (offered.q === '' && offered.total <= offered.rows.length) return null
  return (
    <>
      <ListSearch label={label} q={offered.q} name={choiceSearchName} />
      {offered.total === 0 && <p className="muted">Nothing matches “{offered.q}”.</p>}
    </>
  )
}

/** The hint of the select. @param noun plural */
export function choiceHint({ rows, total, q }: Offered, noun: string): string | undefined {
  if (total <= rows.length) return undefined
  const which = q === '' ? noun : `${noun} that match “${q}”`
  return `The newest ${rows.length} of ${total.toLocaleString('en-US')} ${which}. Search above for others.`
}
