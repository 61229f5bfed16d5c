/** What the status page knows of a server that has just begun. */
import { expect, test } from 'vitest'
import { badgeWords, headline, leadOf } from '../../../app/shared/status/status-words.ts'
import { statusMarkdown } from '../../../app/status/feeds/feeds.server.ts'
import { testServices } from '../../../tests/support/services.ts'
import { componentIds } from '../../contract/status/components.ts'

const services = await testServices({ template: 'schema' })

test('a server that has just started says that its first check is on its way, and for two minutes only', async () => {
  const { status, advance } = services
  const first = await status.page()

  expect(headline(first)).toBe('The first check is running')
  expect(leadOf(first)).toBe('The service has just started. The first check takes a few seconds.')
  expect(first.platform.services.map(({ status: state, summary }) => [state, summary])).toEqual(
    componentIds.map(() => ['not_available', 'Not checked yet.']),
  )
  expect(statusMarkdown(first, 'https://status.example')).toMatch(
    /^# The first check is running\n\nThe service has just started\. The first check takes a few seconds\. As of 2026-/,
  )
  const away = { ...first, starting: false, reachable: false, recordsAt: null }
  expect(headline(away)).toBe('Our database is not responding')
  expect(statusMarkdown(away, 'https://status.example')).not.toContain('none so far')
  advance(90_000)
  expect((await status.page()).starting).toBe(true)
  advance(30_000)
  const late = await status.page()
  expect(headline(late)).toBe('Status checks are not running')
  expect(leadOf(late)).toBe('No component was checked in the last two minutes.')
})

test('what was checked before the start counts for nothing, and what is checked after it at once', async () => {
  const rows = componentIds.map((name) => ({ name, state: 'operational' as const, summary: 'It responds.' }))
  await services.status.saveChecks(rows, services.clock())
  services.advance(31_000)

  expect(headline(await services.status.page())).toBe('All systems operational')
  services.advance(180_000)
  const stopped = await services.status.page()
  expect(headline(stopped)).toBe('Status checks are not running')
  expect(stopped.platform.services[0]?.summary).toBe('Not checked in the last two minutes.')
})

test('what is all off on purpose is not said to be unchecked', async () => {
  const rows = componentIds.map((name) => ({ name, state: 'disabled' as const, summary: 'Turned off.' }))
  await services.status.saveChecks(rows, services.clock())
  services.advance(31_000)

  const off = await services.status.page()
  expect(headline(off)).toBe('All components are off on purpose')
  expect(leadOf(off)).toBe('All components are off on purpose.')
  expect(badgeWords(off)).toEqual({ words: 'off', tone: 'quiet' })
})

test('a start asks for one round of checks, due at once, however many servers start', async () => {
  await services.status.checkAtOnce()
  await services.status.checkAtOnce()

  const { rows } = await services.database.ownerPool.query(
    `SELECT count(*)::int AS waiting, bool_and(run_at <= now()) AS due FROM graphile_worker.jobs
      WHERE task_identifier = 'check-status'`,
  )
  expect(rows).toEqual([{ waiting: 1, due: true }])
})
