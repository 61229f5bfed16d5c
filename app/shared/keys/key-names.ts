/** Words for what a key is; the same everywhere. */

export const levelNames = { read_only: 'read only', full: 'full' } as const
export const levelWords = { read_only: 'Read-only', full: 'Read and write (full)' } as const
export const environmentNames = { sandbox: 'Sandbox', production: 'Production' } as const

/** `Sandbox, read only` */
export function reachOf(key: {
  environment: keyof typeof environmentNames
  level: keyof typeof levelNames
}): string {
  return `${environmentNames[key.environment]}, ${levelNames[key.level]}`
}
