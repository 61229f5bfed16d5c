import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { SetupError } from '../setup-error.mjs'

/**
 * The account PostgreSQL runs as when it cannot be ours.
 * @typedef {{ name: string, uid: number, gid: number }} Account
 */

/**
 * PostgreSQL refuses to run as root, so root hands it to another account: the owner of a database that
 * exists already, else `postgres`, else `no one`. Null: run it as ourselves.
 * @param {string | null} cluster data folder, when one exists
 * @returns {Account | null}
 */
export function chooseAccount(cluster) {
  const self = process.getuid?.()
  if (self === undefined) return null
  const owner = cluster === null ? null : fs.statSync(cluster)
  if (self !== 0) {
    if (owner && owner.uid !== self)
      throw new SetupError(
        `the database folder ${cluster} belongs to another user (id ${owner.uid}). ` +
          'Run as that user, or choose another folder with DATA_DIR=',
      )
    return null
  }
  if (owner && owner.uid !== 0) return { name: `user ${owner.uid}`, uid: owner.uid, gid: owner.gid }
  for (const name of ['postgres', '_postgres', 'nobody']) {
    const uid = lookUp('-u', name)
    const gid = lookUp('-g', name)
    if (uid !== null && gid !== null) return { name, uid, gid }
  }
  throw new SetupError(
    'PostgreSQL does not run as root, and this machine has no user named postgres or nobody. ' +
      'Run as an ordinary user, or set DATABASE_URL to a PostgreSQL server.',
  )
}

/** @param {Account | null} account */
export function spawnIds(account) {
  return account ? { uid: account.uid, gid: account.gid } : {}
}

/**
 * Whether the account can reach the folder through all its parents. Asked by trying, because modes,
 * groups and access lists together are the kernel's business.
 * @param {string} folder
 * @param {Account | null} account
 */
export function canReach(folder, account) {
  if (!account) return true
  return tryAs(account, 'cd "$1" && ls >/dev/null', folder)
}

/**
 * Runs a line of shell as the account, with one argument; true when it succeeds.
 * @param {Account | null} account
 * @param {string} line
 * @param {string} argument
 */
export function tryAs(account, line, argument) {
  const run = spawnSync('/bin/sh', ['-c', line, 'sh', argument], {
    ...spawnIds(account),
    cwd: '/',
    stdio: 'ignore',
  })
  if (/** @type {NodeJS.ErrnoException | undefined} */ (run.error)?.code === 'EPERM')
    throw new SetupError(
      `this process can't run PostgreSQL as ${account?.name} (setuid is not permitted). ` +
        'Run as an ordinary user, or set DATABASE_URL to a PostgreSQL server.',
    )
  return run.status === 0
}

/**
 * @param {'-u' | '-g'} flag
 * @param {string} name
 */
function lookUp(flag, name) {
  const run = spawnSync('id', [flag, name], { encoding: 'utf8' })
  const id = Number.parseInt(run.stdout ?? '', 10)
  return run.status === 0 && Number.isInteger(id) ? id : null
}
