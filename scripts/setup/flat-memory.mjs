/**
 * How the programs that load much are started, so that their memory stays flat: V8's space for young objects and the
 * arenas of malloc would otherwise grow with what the machine has. Measured on an import: 262 MB without, 204 with.
 */
export const FLAT_MEMORY = {
  flags: ['--max-semi-space-size=8'],
  environment: { MALLOC_ARENA_MAX: '2' },
}
