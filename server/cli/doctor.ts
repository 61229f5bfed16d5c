/** `sandpiper doctor`: the faults of a deployment, and their remedies. Exit code 1: something is. */
import { parseArgs } from 'node:util'
import { describe, diagnose } from './doctor-command.ts'
import { runCommand } from './run-command.ts'

runCommand(async () => {
  parseArgs({ options: {} })
  const findings = await diagnose()
  process.stdout.write(`${findings.map(describe).join('\n')}\n`)
  return findings.some(({ state }) => state === 'fault') ? 1 : 0
})
