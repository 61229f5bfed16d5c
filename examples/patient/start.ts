/** Bundles the patient app for the browser and serves it on this machine. */
import { context } from 'esbuild'
import { readOptions, samplePorts } from '../shared/options.ts'

const { base, clientId, port } = readOptions(samplePorts.patient)
const folder = import.meta.dirname
const app = await context({
  entryPoints: [`${folder}/app.ts`],
  bundle: true,
  format: 'esm',
  define: { settings: JSON.stringify({ base, clientId }) },
  outdir: folder,
  write: false,
})
await app.serve({ host: '127.0.0.1', port, servedir: folder })
console.log(`Open http://127.0.0.1:${port}/ and sign in.`)
