/** Runs `sandpiper doctor` for an environment and describes its findings. */
import { EnvironmentError, findFormerSettings, parseEnv } from '../env.ts'
import { createKeyring, KeyringError } from '../keyring.ts'
import { examine } from './doctor-checks.ts'
import { type Finding, warning } from './run-command.ts'

export async function diagnose(source?: Record<string, string | undefined>): Promise<Finding[]> {
  try {
    const env = parseEnv(source)
    createKeyring(env.ENCRYPTION_KEYS)
    const former = findFormerSettings(source).map(([name, fix]) =>
      warning('settings', `${name} has no effect any more`, `${fix}. Unset it`),
    )
    return [{ name: 'settings', state: 'ok', finding: 'complete' }, ...former, ...(await examine(env))]
  } catch (error) {
    if (!(error instanceof EnvironmentError || error instanceof KeyringError)) throw error
    const fix =
      'Mend this first: nothing else was looked at. docs/operations/settings.md lists every variable'
    return error.problems.map((finding) => ({ name: 'settings', state: 'fault', finding, fix }))
  }
}

export function describe({ name, state, finding, fix }: Finding): string {
  const line = `${state.padEnd(8)}${name.padEnd(24)}${finding}`
  return fix ? `${line}\n${' '.repeat(32)}→ ${fix}` : line
}
