import path from 'node:path'
import { withLock } from '../postgres/lock.mjs'
import { ensureDependencies } from './dependencies.mjs'
import { dataFolder } from './folders.mjs'

/**
 * Makes a checkout ready: packages, Prisma client, and, when asked for, the build. Quick when nothing is to
 * be done; of two that run at once, one works and the other waits.
 * @param {{ build: boolean, log: (line: string) => void }} options
 */
export function prepare({ build, log }) {
  return withLock(
    path.join(dataFolder(), 'setup.lock'),
    async () => {
      ensureDependencies(log)
      // Imports packages, which may have come only now.
      const { ensureBuild, ensurePrismaClient } = await import('./build.mjs')
      if (build) await ensureBuild(log)
      else await ensurePrismaClient()
    },
    { waitMs: 900_000 },
  )
}
