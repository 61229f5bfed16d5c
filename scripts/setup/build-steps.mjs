import { isMade } from './stamp.mjs'

/** What each part of the build is made of. Imports no package: a production install asks whether a build is there. */
export const CLIENT = {
  inputs: ['prisma/schema.prisma', 'prisma.config.ts', 'package-lock.json'],
  output: 'prisma/generated/client',
}
export const PORTAL = {
  inputs: [
    'app',
    'emails',
    'public',
    'docs',
    'server/contract',
    'vite.config.ts',
    'scripts/setup/precompress.mjs',
    'package-lock.json',
  ],
  output: 'build/portal',
}
export const SERVER = {
  inputs: [
    'server',
    'seed',
    'emails',
    'prisma/schema.prisma',
    'scripts/setup/build.mjs',
    'package-lock.json',
  ],
  output: 'build/server',
}

/** Whether both parts are whole and made of these sources. */
export function isBuilt() {
  return [PORTAL, SERVER].every(isMade)
}
