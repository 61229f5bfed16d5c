// Who may import whom: the table of server/decisions/0001-doors-and-rooms.md, enforced by `npm run check`.
// Circles count types as well. Rules with VALUES let a type be imported from anywhere.

const INTERFACES = ['fhir', 'smart', 'rest', 'status']
const INTERFACE_MAY = ['contract', 'http', 'auth', 'limits', 'search', 'domain', 'ccd', 'audit']
const PRISMA = 'prisma/generated'

/** Folder → what it may import besides itself: folders of server/, or paths from the root. */
const FOLDERS = {
  contract: [],
  // Off for most; knows nothing of whose data it is.
  tracing: [],
  search: ['contract'],
  store: ['contract', 'search', 'tracing', 'server/root-dir.ts'],
  auth: ['contract', 'store', PRISMA, 'server/keyring.ts'],
  limits: ['contract', 'store', PRISMA],
  audit: ['contract', 'store', PRISMA],
  domain: [
    'contract',
    'auth',
    'search',
    'store',
    'audit',
    'outbound',
    'mail',
    PRISMA,
    'server/keyring.ts',
    'server/root-dir.ts',
    'server/apart.ts',
  ],
  lab: [
    'contract',
    'auth',
    'limits',
    'search',
    'store',
    'audit',
    'outbound',
    'mail',
    'domain',
    PRISMA,
    'server/keyring.ts',
    'server/root-dir.ts',
  ],
  ccd: ['contract', 'auth', 'search', 'store', 'audit', 'outbound', 'mail', PRISMA, 'server/threads.ts'],
  http: ['contract', 'tracing', 'server/root-dir.ts'],
  outbound: ['contract'],
  mail: ['contract', 'tracing', 'emails', PRISMA, 'server/keyring.ts', 'server/apart.ts'],
  jobs: [
    'contract',
    'domain',
    'server/bulk/run',
    'mail',
    'server/status/probes',
    // How a process keeps its own connections; no data.
    'server/store/retry.ts',
    'server/store/pool.ts',
    'server/store/worker-places.ts',
    'server/store/standing-connection.ts',
    'tracing',
  ],
  fhir: [...INTERFACE_MAY, 'store'],
  bulk: [...INTERFACE_MAY, 'store', 'server/threads.ts'],
  smart: INTERFACE_MAY,
  rest: INTERFACE_MAY,
  status: INTERFACE_MAY,
  portal: ['contract', 'http', 'server/root-dir.ts'],
}

/** What npm test installs besides the packages of package.json. */
const TOOLS = Object.keys(require('./tests/package.json').devDependencies)
const TESTS = '\\.(test|suite)\\.tsx?$'
const pathOf = (place) => (place.includes('/') || !(place in FOLDERS) ? place : `server/${place}/`)
/** A folder of `app/` with pages. */
const AREA = '^app/(?!shared/|components/|lib/|styles/)([^/]+)/'
const OURS = '^(app|bench|bin|deploy|emails|examples|prisma|scripts|seed|server|tests)/'

/** Spread into `to`: an import of types alone does not break the rule. */
const VALUES = { dependencyTypesNot: ['type-only'] }

const folders = Object.entries(FOLDERS).map(([folder, may]) => ({
  name: `server/${folder} imports only what lies beneath it`,
  severity: 'error',
  from: { path: `^server/${folder}/`, pathNot: TESTS },
  to: { path: OURS, pathNot: [folder, ...may].map((place) => `^${pathOf(place)}`), ...VALUES },
}))

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...folders,
    {
      name: 'server/contract knows zod and nothing else',
      severity: 'error',
      from: { path: '^server/contract/', pathNot: TESTS },
      to: { pathNot: ['^server/contract/', '^node_modules/zod/'] },
    },
    {
      name: 'an interface never imports another interface',
      severity: 'error',
      from: { path: `^server/(${INTERFACES.join('|')})/` },
      to: { path: `^server/(${INTERFACES.join('|')})/`, pathNot: '^server/$1/' },
    },
    {
      name: 'the server never imports the portal from source',
      severity: 'error',
      from: { path: '^server/', pathNot: TESTS },
      to: { path: '^(app|seed|tests|scripts|bench)/' },
    },
    {
      name: 'the portal takes values only from server/contract',
      severity: 'error',
      from: { path: '^app/', pathNot: TESTS },
      to: { path: '^(server|prisma|seed|scripts|tests)/', pathNot: '^server/contract/', ...VALUES },
    },
    {
      name: 'an area of the portal never imports another area',
      severity: 'error',
      from: { path: AREA, pathNot: TESTS },
      to: { path: AREA, pathNot: '^app/$1/' },
    },
    {
      name: 'what the areas share imports no area',
      severity: 'error',
      from: { path: '^app/(shared|components|lib)/', pathNot: TESTS },
      to: { path: AREA },
    },
    {
      name: 'components and lib know no domain',
      severity: 'error',
      from: { path: '^app/(components|lib)/' },
      to: { path: '^app/shared/' },
    },
    {
      name: 'lib imports no component',
      severity: 'error',
      from: { path: '^app/lib/' },
      to: { path: '^app/components/' },
    },
    {
      name: 'mail templates are imported by server/mail and by the preview page',
      severity: 'error',
      from: { path: OURS, pathNot: ['^emails/', '^server/mail/', '^app/dev/', '^tests/', TESTS] },
      to: { path: '^emails/', ...VALUES },
    },
    {
      name: 'mail templates know nothing of the server',
      severity: 'error',
      from: { path: '^emails/', pathNot: TESTS },
      to: { path: '^(server|app|prisma|seed|tests|scripts)/' },
    },
    {
      name: 'the seed writes through contract, store and domain services',
      severity: 'error',
      from: { path: '^seed/', pathNot: TESTS },
      to: { path: `^(app|tests|scripts|emails)/|^server/(${INTERFACES.join('|')}|http)/` },
    },
    {
      name: 'the laboratory is known to the composition root and to jobs alone',
      severity: 'error',
      from: { path: '^server/', pathNot: ['^server/(lab|start|jobs)/', '^server/services\\.ts$', TESTS] },
      to: { path: '^server/lab/' },
    },
    {
      name: 'a sample app stands alone, so that it can be copied',
      severity: 'error',
      from: { path: '^examples/' },
      to: { path: OURS, pathNot: '^examples/' },
    },
    {
      name: 'only tests import a sample app',
      severity: 'error',
      from: { path: OURS, pathNot: ['^(examples|tests)/', TESTS] },
      to: { path: '^examples/' },
    },
    {
      name: 'jobs are known to their index alone',
      severity: 'error',
      from: { path: '^server/', pathNot: ['^server/jobs/', '^server/(app|services|index)\\.ts$', TESTS] },
      to: { path: '^server/jobs/' },
    },
    {
      name: 'the package remix throws when it is imported',
      severity: 'error',
      from: {},
      to: { path: '^node_modules/remix/' },
    },
    {
      name: 'no circles',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'every import resolves',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^virtual:' },
    },
    {
      name: 'every imported package is listed in package.json',
      severity: 'error',
      from: { path: '^(app|emails|seed|server)/', pathNot: TESTS },
      // Types are tools of checking.
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'], pathNot: '^node_modules/@types/' },
    },
    {
      name: 'every package that a test imports is listed in package.json or tests/package.json',
      severity: 'error',
      from: { path: `^(app|emails|seed|server)/.*${TESTS}` },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'], pathNot: `^node_modules/(${TOOLS.join('|')})/` },
    },
    {
      name: 'what runs in production is a dependency, not a development dependency',
      severity: 'error',
      from: {
        path: '^(app|emails|seed|server)/',
        pathNot: [TESTS, '^server/(threads|portal/load-portal)\\.ts$', '^app/routes\\.ts$'],
      },
      // The build takes these in (decision 212).
      to: {
        dependencyTypes: ['npm-dev'],
        ...VALUES,
        pathNot:
          '^node_modules/(@fontsource(-variable)?|@libpdf/core|@modelcontextprotocol/sdk|@opentelemetry/(exporter-trace-otlp-http|resources|sdk-trace-node)|@prisma/client|@readme/httpsnippet|cmdk|highlight.js|lucide-react|radix-ui|stemmer)/',
      },
    },
  ],
  options: {
    doNotFollow: { path: ['node_modules', '^prisma/generated'] },
    exclude: { path: ['^build/'] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
}
