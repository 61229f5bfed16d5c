import fs from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** Fonts and pictures are compressed already. */
const TEXT = /\.(?:js|css|svg|txt|json|map)$/
/** In bytes. */
const COMPRESS_ABOVE = 1024
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }

/**
 * Writes `.br` and `.gz` beside every text file of a folder that visitors load, so that no request compresses it.
 * @param {string} folder
 */
export async function precompress(folder) {
  const files = await fs.readdir(folder, { recursive: true, withFileTypes: true })
  await Promise.all(
    files
      .filter((each) => each.isFile() && TEXT.test(each.name))
      .map(async (each) => {
        const file = path.join(each.parentPath, each.name)
        const bytes = await fs.readFile(file)
        if (bytes.length <= COMPRESS_ABOVE) return
        await fs.writeFile(`${file}.br`, await promisify(brotliCompress)(bytes, BROTLI))
        await fs.writeFile(`${file}.gz`, await promisify(gzip)(bytes, { level: 9 }))
      }),
  )
}
