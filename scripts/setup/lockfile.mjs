/**
 * @typedef {{ version?: string, dev?: boolean, optional?: boolean, os?: string[], cpu?: string[],
 *   libc?: string[], optionalDependencies?: Record<string, string> }} LockEntry
 */

const SYSTEMS = [
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
  'aix',
]
const PROCESSORS = [
  'arm64',
  'arm',
  'ia32',
  'loong64',
  'mips64el',
  'ppc64',
  'riscv64',
  's390x',
  'wasm32',
  'x64',
]

/**
 * Lock entries for optional packages that a locked package names and the lockfile lacks.
 * @param {Record<string, LockEntry>} packages of package-lock.json
 * @returns {Record<string, LockEntry>} by their place in node_modules
 * @throws Error for one that is neither pinned to a version nor named after a platform
 */
export function findMissing(packages) {
  /** @type {Record<string, LockEntry>} */
  const missing = {}
  for (const [parent, { dev, optionalDependencies = {} }] of Object.entries(packages))
    for (const [name, version] of Object.entries(optionalDependencies)) {
      if (findPackage(packages, parent, name)) continue
      if (!/^\d+\.\d+\.\d+/.test(version))
        throw new Error(`${parent} names ${name} ${version}, which is no version`)
      missing[`node_modules/${name}`] = {
        version,
        ...platformOf(name),
        ...(dev ? { dev } : {}),
        optional: true,
      }
    }
  return missing
}

/**
 * As Node looks for a package: in the folder of its parent, then ever further up.
 * @param {Record<string, LockEntry>} packages
 * @param {string} from
 * @param {string} name
 * @returns {string | null} its place; null when it is not locked
 */
export function findPackage(packages, from, name) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('node_modules/') - 1))) {
    const place = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`
    if (packages[place]) return place
    if (folder === '') return null
  }
}

/**
 * @param {string} name such as @rollup/rollup-linux-x64-musl
 * @returns {Pick<LockEntry, 'os' | 'cpu' | 'libc'>}
 */
function platformOf(name) {
  const words = name.split(/[-/]/)
  const os = SYSTEMS.filter((system) => words.includes(system))
  const cpu = PROCESSORS.filter((processor) => words.includes(processor))
  if (os.length + cpu.length === 0) throw new Error(`${name} does not say for which platform it is made`)
  const libc = words.some((word) => word.startsWith('musl'))
    ? ['musl']
    : words.some((word) => word.startsWith('gnu')) && os.includes('linux')
      ? ['glibc']
      : []
  return { ...(os.length ? { os } : {}), ...(cpu.length ? { cpu } : {}), ...(libc.length ? { libc } : {}) }
}
