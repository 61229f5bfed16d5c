/** One line of what `sandpiper doctor` says. */
export type Finding = { name: string; state: 'ok' | 'warning' | 'fault'; finding: string; fix?: string }

export const ok = (name: string, finding: string): Finding => ({ name, state: 'ok', finding })
export const warning = (name: string, finding: string, fix: string): Finding => ({
  name,
  state: 'warning',
  finding,
  fix,
})
export const fault = (name: string, finding: string, fix: string): Finding => ({
  name,
  state: 'fault',
  finding,
  fix,
})
