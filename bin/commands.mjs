/**
 * The commands of an installation. `npm run` calls the same programs, on the embedded database, too.
 * @typedef {object} Command
 * @property {string} summary
 * @property {string} file of the built program, below `build`
 * @property {readonly string[]} [first] what stands before the options
 * @property {readonly string[]} [role] of a server: what ROLE may be, the first unless it is set
 * @property {string} [npm] the npm script, where it has another name
 */

/** @satisfies {Record<string, Command>} */
const table = {
  serve: {
    summary: 'answer requests',
    file: 'server/index.js',
    role: ['web', 'api', 'portal', 'all'],
  },
  work: { summary: 'run the jobs', file: 'server/index.js', role: ['worker'] },
  migrate: { summary: 'apply pending migrations, or list them', file: 'server/cli/migrate.js' },
  seed: { summary: 'create the synthetic practices', file: 'seed/cli.js' },
  admin: { summary: 'create the first staff and practices', file: 'server/cli/admin.js' },
  doctor: { summary: 'check a deployment and say what to mend', file: 'server/cli/doctor.js' },
  'move-documents': {
    summary: 'move the bytes of documents to object storage, or back',
    file: 'server/cli/move-documents.js',
  },
  'rotate-keys': { summary: 'rotate the signing key', file: 'server/cli/rotate-keys.js' },
  'audit-verify': {
    summary: 'verify the audit chain',
    file: 'server/cli/audit-verify.js',
    first: ['verify'],
    npm: 'audit:verify',
  },
  'audit-accept': {
    summary: 'record that an older backup was restored',
    file: 'server/cli/audit-verify.js',
    first: ['accept'],
    npm: 'audit:accept',
  },
  import: { summary: 'load FHIR resources into a practice', file: 'seed/import/cli.js' },
  'export-practice': { summary: 'write a practice as NDJSON', file: 'seed/export/cli.js' },
}

/** @typedef {keyof typeof table} CommandName */
/** @type {Readonly<Record<CommandName, Command>>} */
export const commands = table
