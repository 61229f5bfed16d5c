import { Ban, CircleCheck } from '../../components/ui/icons.ts'

/** What one kind of key or token would get of the same call, and why. */
export interface LevelOutcome {
  readonly level: string
  readonly title: string
  readonly allowed: boolean
  readonly why: string
}

function LevelOutcomes({ outcomes }: { outcomes: readonly LevelOutcome[] }) {
  return (
    <ul className="list ex-list">
      {outcomes.map(({ level, title, allowed, why }) => (
        <li key={level} className={allowed ? 'finding ok' : 'finding'}>
          {allowed ? <CircleCheck className="i" /> : <Ban className="i" />}
          <p className="small">
            <b>{title}</b>: {allowed ? 'served.' : 'refused.'} {why}
          </p>
        </li>
      ))}
    </ul>
  )
}

interface CardProps {
  title: string
  /** Why the level is what it is. */
  note: string
  groups: readonly { readonly title: string | null; readonly rows: readonly LevelOutcome[] }[]
}

/** The same call by other keys or tokens; nothing was sent for it. Each group folds. */
export function AnswerLevels({ title, note, groups }: CardProps) {
  if (groups.length === 0) return null
  return (
    <section className="card" aria-labelledby="ex-levels">
      <div className="head ex-head">
        <h3 id="ex-levels">{title}</h3>
      </div>
      {groups.map(({ title: name, rows }) =>
        name === null ? (
          <LevelOutcomes key="all" outcomes={rows} />
        ) : (
          <details className="ex-fold ex-list" key={name}>
            <summary>
              {name}: {summaryOf(rows)}
            </summary>
            <LevelOutcomes outcomes={rows} />
          </details>
        ),
      )}
      <footer className="small">{note}</footer>
    </section>
  )
}

function summaryOf(rows: readonly LevelOutcome[]): string {
  const served = rows.filter(({ allowed }) => allowed).length
  return served === 0
    ? 'refused'
    : served === rows.length
      ? 'served'
      : `succeeds in ${served} of ${rows.length} cases`
}
