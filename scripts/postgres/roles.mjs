import pg from 'pg'

/** Superuser of the embedded server; only the code in this folder signs in with it. */
export const ADMIN_ROLE = 'sandpiper_admin'
/** Owns the database and its tables: migrations and seed. */
export const OWNER_ROLE = 'sandpiper_owner'
/** What the server signs in with: owns nothing, bypasses nothing. */
export const APP_ROLE = 'sandpiper_app'
export const DATABASE = 'sandpiper'

/**
 * A URL for a server on a Unix socket, as `pg` and Prisma's adapter read it.
 * @param {string} socketFolder
 * @param {string} role
 * @param {string} database
 */
export function socketUrl(socketFolder, role, database) {
  return `postgresql://${role}@localhost/${database}?host=${encodeURIComponent(socketFolder)}&port=5432`
}

/**
 * Makes the plain roles and the database when they are missing.
 * @param {string} adminUrl
 */
export async function prepareDatabase(adminUrl) {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  try {
    for (const role of [OWNER_ROLE, APP_ROLE]) {
      const { rowCount } = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [role])
      if (rowCount === 0) await client.query(`CREATE ROLE ${role} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE`)
    }
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE])
    if (rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE} OWNER ${OWNER_ROLE}`)
    await client.query(`REVOKE ALL ON DATABASE ${DATABASE} FROM PUBLIC`)
    await client.query(`GRANT CONNECT ON DATABASE ${DATABASE} TO ${APP_ROLE}`)
  } finally {
    await client.end()
  }
}
