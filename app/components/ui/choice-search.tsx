import { ListSearch } from './list.tsx'

/** What a select offers, and of how many: the newest, or what was searched for. */
export interface Offered {
  rows: readonly { value: string; label: string }[]
  total: number
  q: string
}

/** In the address of a page whose select offers what was searched for. */
export const choiceSearchName = 'find'

/** Above a form whose select cannot hold everything; nothing where it can. Works without a script. */
export function ChoiceSearch({ label, offered }: { label: string; offered: Offered }) {
  if (offered.q === '' && offered.total <= offered.rows.length) return null
  return (
    <>
      <ListSearch label={label} q={offered.q} name={choiceSearchName} />
      {offered.total === 0 && <p className="muted">Nothing matches “{offered.q}”.</p>}
    </>
  )
}

/** For the select itself. @param noun plural */
export function choiceHint({ rows, total, q }: Offered, noun: string): string | undefined {
  if (total <= rows.length) return undefined
  const which = q === '' ? noun : `${noun} that match “${q}”`
  return `The newest ${rows.length} of ${total.toLocaleString('en-US')} ${which}. Search above for others.`
}
