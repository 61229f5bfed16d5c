import { prepare } from '../setup/prepare.mjs'

export const help = `
npm run admin -- create-staff --email ADDRESS --name NAME --role reviewer|ops
npm run admin -- create-practice --slug SLUG --name NAME [--environment production|sandbox]
npm run admin -- invite-practice-admin --practice SLUG --email ADDRESS

Creates the first people and practices of an installation. It neither asks for nor prints passwords: each person gets
an email with a link that works once. Staff choose a password and set up an authenticator app at their first sign-in, at
/staff/sign-in. The admin of a practice signs in at /practice/sign-in. Operators can also create practices, rename them
and invite their admins in the portal, at /staff/practices. They manage staff at /staff/people, where every role needs
the approval of a second operator: create two operators here first.

  --role          reviewer decides requests; ops runs the installation
  --environment   production by default
  --slug          part of the practice's addresses; it cannot be changed

Run create-staff or invite-practice-admin again to send a new link; the old one stops working. Emails are sent while a
server or worker is running. Every command is recorded in the audit log.

Exit code 2: wrong options. Exit code 3: the address or slug is taken. In both cases nothing is changed.
`

/** @param {string[]} options */
export async function run(options) {
  await prepare({ build: true, log: (line) => console.error(line) })
  const { runTool } = await import('../setup/built-tool.mjs')
  return runTool('server/cli/admin.js', options)
}
