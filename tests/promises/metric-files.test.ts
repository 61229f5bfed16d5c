/** The dashboard, the alert rules and the runbooks name what there is: metrics, labels, and an answer to each alert. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { metrics, processMetrics } from '../../server/contract/http/metrics.ts'
import { rootDir } from '../../server/root-dir.ts'

const read = (path: string) => readFileSync(join(rootDir, path), 'utf8')

/** Labels that Prometheus adds. */
const ownLabels = ['instance', 'job']
const labelsOf = new Map<string, readonly string[]>(processMetrics.map((name) => [name, ownLabels]))
for (const [name, { type, labels }] of Object.entries(metrics)) {
  const all = [...labels, ...ownLabels]
  if (type !== 'histogram') labelsOf.set(name, all)
  else for (const part of ['_bucket', '_count', '_sum']) labelsOf.set(`${name}${part}`, [...all, 'le'])
}

function expectKnown(expression: string): void {
  const names = expression.match(/\b(sandpiper|process|nodejs)_[a-z0-9_]+/g) ?? []
  const grouped = [...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, labels = '']) =>
    labels.split(/, */),
  )
  const asked = [...expression.matchAll(/[{,]([a-z]+)=~?"/g)].map(([, label = '']) => label)
  const known = names.flatMap((name) => labelsOf.get(name) ?? [])
  for (const name of names) expect(labelsOf.has(name), name).toBe(true)
  if (names.length > 0) for (const label of [...grouped, ...asked]) expect(known, expression).toContain(label)
}

test('the dashboard names metrics that exist, with labels that they have, and every metric of ours', () => {
  const dashboard = JSON.parse(read('docs/metrics/grafana-dashboard.json')) as {
    panels: { targets: { expr: string }[] }[]
  }
  const expressions = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))

  expect(expressions.length).toBeGreaterThan(10)
  for (const expression of expressions) expectKnown(expression)
  for (const name of Object.keys(metrics))
    expect(
      expressions.some((expression) => expression.includes(name)),
      name,
    ).toBe(true)
})

const rules = read('deploy/prometheus/alerts.yml')
const alerts = rules
  .split(/^ {6}- (?=alert:|record:)/m)
  .filter((rule) => rule.startsWith('alert:'))
  .map((rule) => ({ name: /^alert: (\w+)/.exec(rule)?.[1] ?? '', rule }))

test('the alert rules name metrics that exist, with labels that they have', () => {
  const expressions = [...rules.matchAll(/^ +expr: (.*)$/gm)].map(([, expression = '']) => expression)

  expect(expressions.length).toBeGreaterThan(25)
  for (const expression of expressions) expectKnown(expression)
})

test('each alert says how urgent it is, what was seen, and which runbook helps; no runbook is left over', () => {
  const runbooks = [...read('docs/operations/runbooks.md').matchAll(/^## (Sandpiper\w+)$/gm)].map(
    ([, name]) => name,
  )

  for (const { name, rule } of alerts) {
    expect(rule, name).toMatch(/^ +labels: \{ severity: (page|ticket) \}$/m)
    expect(rule, name).toMatch(/^ +summary: ["'].+["']$/m)
    expect(rule, name).toContain(`runbook: docs/operations/runbooks.md#${name.toLowerCase()}\n`)
  }
  expect(alerts.map(({ name }) => name)).toEqual(runbooks)
})

test('each alert is tried with series that raise it', () => {
  const tried = read('deploy/prometheus/alerts.test.yml')

  expect(alerts.filter(({ name }) => !tried.includes(name)).map(({ name }) => name)).toEqual([])
})
