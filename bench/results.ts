/** `bench/RESULTS.md`: each aim with its figure. */
import { type Aim, aims, isMet, textOfBound } from './aims.ts'
import type { Figure } from './figures.ts'
import type { KeptRun } from './kept-run.ts'
import type { Remark } from './remarks.ts'

export type Results = {
  text: string
  /** Aims that are missed, and nobody has said why. */
  unexplained: readonly string[]
}

export function writeResults(
  { at, machine, load, figures }: KeptRun,
  remarks: Readonly<Record<string, Remark>>,
  all: readonly Aim[] = aims,
): Results {
  const judged = all.map((aim) => ({ aim, figure: figures.find(({ name }) => name === aim.name) }))
  const missed = judged.filter(({ aim, figure }) => !figure || !isMet(aim, figure.value))
  const others = figures.filter(({ name }) => !all.some((aim) => aim.name === name))
  const text = [
    '# Results of the bench',
    '',
    '<!-- Written by npm run bench -- --results. The words on missed aims are in bench/remarks.ts. -->',
    '',
    `Measured on ${at.slice(0, 10)}: ${machine.cores} cores (${machine.processor}), ${machine.memoryGb} GB of memory, ` +
      `Node ${machine.node}, PostgreSQL ${machine.postgres}. Client, server and database share the machine. ` +
      `Load of the machine before the run: ${load.toFixed(1)}.`,
    '',
    'A figure with × is CPU per request of all processes of the server and of PostgreSQL, as a multiple of what a bare',
    '`node:http` server needs to answer 2 KB to 16 connections, measured by turns in the same run; unless the row says',
    'something else. Authentication, limits, the record of access and logs are on.',
    '',
    '| | Figure | Aim | |',
    '|---|---|---|---|',
    ...judged.map(({ aim, figure }) => line(aim, figure)),
    '',
    ...(missed.length > 0 ? ['## Missed', ''] : []),
    ...missed.flatMap(({ aim, figure }) => explain(aim, figure, remarks[aim.name])),
    ...(others.length > 0 ? ['## Without an aim', '', '| | Figure |', '|---|---|'] : []),
    ...others.map((figure) => `| ${figure.name} | ${numberOf(figure)} |`),
  ].join('\n')
  const unexplained = missed.map(({ aim }) => aim.name).filter((name) => !remarks[name])
  return { text: `${text.trimEnd()}\n`, unexplained }
}

function line(aim: Aim, figure: Figure | undefined): string {
  if (!figure) return `| ${aim.text} | not measured | | missed |`
  const verdict = isMet(aim, figure.value) ? 'met' : '**missed**'
  return `| ${aim.text} | ${numberOf(figure)} | ${textOfBound(aim, figure.unit)} | ${verdict} |`
}

function explain(aim: Aim, figure: Figure | undefined, remark: Remark | undefined): string[] {
  const title = `**${aim.text}**${figure ? `, ${numberOf(figure)}` : ', not measured'}.`
  if (!remark) return [`${title} Nobody has said why yet.`, '']
  return [`${title} ${remark.why} Tried: ${remark.tried} Needed: ${remark.needed}`, '']
}

function numberOf({ value, unit }: Figure): string {
  const digits = unit === 's' || value < 3 ? 2 : value < 100 ? 1 : 0
  return `${value.toFixed(digits)} ${unit}`
}
