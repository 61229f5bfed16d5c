import type { Figure } from './figures.ts'
import { growthRows } from './growth-rows.ts'

/** What Sandpiper aims at. A figure of the same name says whether the aim is met. */

export type Aim = {
  name: string
  /** What is measured, in a table's words. */
  text: string
} & ({ atMost: number } | { atLeast: number })

export const growths = ['a practice that grows', 'more and more practices'] as const
export const caches = ['warm', 'cold'] as const

/** Of the figure and its aim. */
export function growthName(
  row: string,
  growth: (typeof growths)[number],
  cache: (typeof caches)[number],
): string {
  return `${row}, ${growth}, ${cache}`
}

export const aims: readonly Aim[] = [
  { name: 'FHIR read', text: 'FHIR read', atMost: 15 },
  { name: 'FHIR read, 1 connection', text: 'FHIR read, one connection alone', atMost: 38 },
  { name: 'FHIR page of 50', text: 'FHIR page of 50', atMost: 45 },
  { name: 'FHIR page with _revinclude', text: 'FHIR page of 50 with _revinclude', atMost: 75 },
  { name: 'FHIR $everything, about 140', text: 'FHIR $everything of about 140 resources', atMost: 120 },
  { name: 'REST patient', text: 'REST patient', atMost: 18 },
  { name: 'REST list of 50', text: 'REST list of 50 patients', atMost: 45 },
  { name: 'REST new patient', text: 'REST new patient', atMost: 170 },
  { name: 'MCP search', text: 'MCP search_patients', atMost: 50 },
  { name: 'public page', text: 'Public page (home)', atMost: 5 },
  { name: 'import', text: 'Import of FHIR Bundles, its speed beside COPY', atLeast: 30 },
  { name: 'export with gzip', text: 'Export with gzip, its speed beside COPY', atLeast: 50 },
  { name: 'signed-in page', text: 'Home, signed in', atMost: 300 },
  ...['keys', 'logs', 'queue', 'who has access'].map((name) => ({
    name,
    text: `Signed-in page: ${name}`,
    atMost: 400,
  })),
  {
    name: 'CPU with two API processes',
    text: 'CPU per request with two API processes, beside one with the load of both',
    atMost: 1.15,
  },
  {
    name: 'CPU with two API processes, each as busy as the one',
    text: 'CPU per request with two API processes, beside one with the load of each',
    atMost: 1.1,
  },
  {
    name: 'CPU with two API processes, beside two installations',
    text: 'CPU per request with two API processes, beside two installations with one each on the same machine',
    atMost: 1.1,
  },
  { name: 'home, transferred', text: 'Home page, transferred', atMost: 150 },
  { name: 'documentation, transferred', text: 'Documentation, heaviest page, transferred', atMost: 100 },
  ...['home', 'documentation'].map((page) => ({
    name: `${page}, largest part painted`,
    text: `Largest contentful paint on a slow line, ${page}`,
    atMost: 1.2,
  })),
  ...[
    'reads beside a flood of the documentation',
    'reads beside CCDs of one key',
    'reads beside a flood of /authorize',
  ].map((name) => ({ name, text: `95th percentile of FHIR ${name}`, atMost: 3 })),
  ...Object.keys(growthRows).flatMap((row) =>
    growths.flatMap((growth) =>
      caches.map((cache) => ({
        name: growthName(row, growth, cache),
        text: `${row}, ${growth}, ${cache} cache, beside the smallest`,
        atMost: 1.2,
      })),
    ),
  ),
]

export function aimOf(figure: Figure): Aim | undefined {
  return aims.find(({ name }) => name === figure.name)
}

export function isMet(aim: Aim, value: number): boolean {
  return 'atMost' in aim ? value <= aim.atMost : value >= aim.atLeast
}

/** @param unit that of its figure */
export function textOfBound(aim: Aim, unit: string): string {
  return 'atMost' in aim ? `≤ ${aim.atMost} ${unit}` : `≥ ${aim.atLeast} ${unit}`
}

/** The bound of a figure and whether it is met, for a table; empty where there is no aim. */
export function boundAndVerdict(figure: Figure): [bound: string, verdict: string] {
  const aim = aimOf(figure)
  return aim ? [textOfBound(aim, figure.unit), isMet(aim, figure.value) ? 'met' : 'MISSED'] : ['', '']
}

/** The same at the end of a line. */
export function verdictOn(figure: Figure): string {
  const [bound, verdict] = boundAndVerdict(figure)
  return bound && `, aim ${bound}: ${verdict}`
}
