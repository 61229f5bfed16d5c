/** `sandpiper doctor`: lists the faults of a deployment and how to fix them. Exit code 1 if there is a fault. */
import { parseArgs } from 'node:util'
import { describe, diagnose } from './doctor-command.ts'
import { runCommand } from './run-command.ts'

runCommand(async () => {
  parseArgs({ options: {} })
  const findings = await diagnose()
  process.stdout.write(`${findings.map(describe).join('\n')}\n`)
  return findings.some(({ state }) => state === 'fault') ? 1 : 0
})
