/** The alert rules by Prometheus' own tool: https://prometheus.io/docs/prometheus/latest/configuration/unit_testing_rules/ */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { rootDir } from '../../server/root-dir.ts'

const folder = join(rootDir, 'deploy/prometheus')

function promtool(...args: string[]): string {
  const { error, status, stdout, stderr } = spawnSync('promtool', args, { cwd: folder, encoding: 'utf8' })
  if (error) throw new Error('This test needs promtool (Debian: apt-get install prometheus)')
  expect(status, stdout + stderr).toBe(0)
  return stdout
}

test('Prometheus reads the rules', () => {
  expect(promtool('check', 'rules', 'alerts.yml')).toContain('SUCCESS: 33 rules found')
})

test('each alert is raised by what it is for, and none when nothing is wrong', () => {
  expect(promtool('test', 'rules', 'alerts.test.yml')).toContain('SUCCESS')
})
