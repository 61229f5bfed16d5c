import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { PrismaPg } from '@prisma/adapter-pg'
import * as engineModule from '@prisma/schema-engine-wasm/schema_engine_bg'

// Prisma's schema engine as WebAssembly, from npm: the native one is a download that some networks lack.
// A tool of development only.

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..')
const require = createRequire(import.meta.url)
/** PostgreSQL's one-byte "char", which the catalogue is full of and the adapter cannot map. */
const CHAR = 18
const TEXT = 25

/**
 * SQL that would make a database's schema `portal` equal to `schema.prisma`; empty when it is.
 * @param {string} databaseUrl of a role that may read the catalogue
 * @returns {Promise<string>}
 */
export async function diffToSchema(databaseUrl) {
  const schemaPath = path.join(root, 'prisma/schema.prisma')
  const content = fs.readFileSync(schemaPath, 'utf8')
  const files = [{ path: schemaPath, content }]
  const engine = await createEngine(databaseUrl, schemaPath, content)
  const result = await engine.diff({
    from: { tag: 'schemaDatasource', files, configDir: path.dirname(schemaPath) },
    to: { tag: 'schemaDatamodel', files },
    script: true,
    exitCode: true,
    filters: { externalTables: [], externalEnums: [] },
  })
  return result.exitCode === 0 ? '' : (result.stdout ?? '')
}

/**
 * @param {string} databaseUrl
 * @param {string} schemaPath
 * @param {string} content
 */
async function createEngine(databaseUrl, schemaPath, content) {
  // Only the adapter depends on this package, so it is found from there.
  const utilities = createRequire(require.resolve('@prisma/adapter-pg')).resolve(
    '@prisma/driver-adapter-utils',
  )
  const { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } = await import(pathToFileURL(utilities).href)
  loaded ??= loadEngine()
  await loaded
  presentCharAsText()
  const factory = withCharColumns(
    new PrismaPg({ connectionString: databaseUrl }, { schema: 'portal' }),
    ColumnTypeEnum.Character,
  )
  return engineModule.SchemaEngine.new(
    { datamodels: [[schemaPath, content]] },
    () => {},
    bindMigrationAwareSqlAdapterFactory(factory),
  )
}

/**
 * One instance for the process: the bindings keep it in a global.
 * @type {Promise<void> | undefined}
 */
let loaded

async function loadEngine() {
  const folder = path.dirname(require.resolve('@prisma/schema-engine-wasm'))
  const bytes = fs.readFileSync(path.join(folder, 'schema_engine_bg.wasm'))
  const { instance } = await WebAssembly.instantiate(bytes, {
    './schema_engine_bg.js': /** @type {any} */ (engineModule),
  })
  const bindings = /** @type {any} */ (engineModule)
  bindings.__wbg_set_wasm(instance.exports)
  const { __wbindgen_start } = /** @type {Record<string, any>} */ (instance.exports)
  __wbindgen_start()
  Object.assign(globalThis, {
    PRISMA_WASM_PANIC_REGISTRY: {
      /** @param {string} message */
      set_message: (message) => console.error(`schema engine: ${message}`),
    },
  })
}

let presented = false

/** Makes `pg` hand over "char" columns as text, and remember that they were. */
function presentCharAsText() {
  if (presented) return
  presented = true
  const resultFile = 'pg/lib/result.js'
  const { prototype } = require(resultFile)
  const { addFields } = prototype
  /** @param {{ dataTypeID: number, isChar?: boolean }[]} fields */
  prototype.addFields = function (fields) {
    for (const field of fields)
      if (field.dataTypeID === CHAR) {
        field.dataTypeID = TEXT
        field.isChar = true
      }
    return addFields.call(this, fields)
  }
}

/**
 * Tells the engine which text columns are really "char".
 * @param {any} factory
 * @param {number} character
 */
function withCharColumns(factory, character) {
  const connect = factory.connect.bind(factory)
  factory.connect = async () => {
    const adapter = await connect()
    const performIO = adapter.performIO.bind(adapter)
    const queryRaw = adapter.queryRaw.bind(adapter)
    /** @type {{ fields: { isChar?: boolean }[] } | undefined} */
    let last
    adapter.performIO = async (/** @type {unknown} */ query) => {
      last = await performIO(query)
      return last
    }
    adapter.queryRaw = async (/** @type {unknown} */ query) => {
      const result = await queryRaw(query)
      last?.fields.forEach((field, index) => {
        if (field.isChar) result.columnTypes[index] = character
      })
      return result
    }
    return adapter
  }
  return factory
}
