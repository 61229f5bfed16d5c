/**
 * Logos of apps. An uploaded file is never served: its first bytes must match an image format, then it is decoded and
 * redrawn as a small PNG, so that only the file's pixels remain.
 */
import { createHash } from 'node:crypto'
import sharp from 'sharp'
import { fileRules, findFileFault } from '../../contract/forms/files.ts'
import { logoMsMax } from '../../contract/http/parsers.ts'
import { Problem } from '../../contract/http/problems.ts'
import { logoLimits } from '../../contract/workflows/registration-form.ts'
import type { Core } from '../core.ts'

const hashPattern = /^[0-9a-f]{64}$/

/**
 * Stores a logo for an organization; the same logo is stored once.
 * @returns the SHA-256 under which it is served
 * @throws Problem `validation` if the file is too large, or is not a PNG, JPEG or WebP
 */
export async function store(
  { prisma, clock }: Core,
  { organizationId, bytes }: Readonly<{ organizationId: string; bytes: Uint8Array }>,
): Promise<string> {
  const fault = findFileFault(fileRules.logo, bytes)
  if (fault !== null) throw refused(fault)
  const drawn = await drawAnew(bytes)
  const hash = createHash('sha256').update(drawn).digest('hex')
  const others = await prisma.appLogo.count({ where: { organizationId, hash: { not: hash } } })
  if (others >= logoLimits.perOrganization)
    throw refused('Your organization has uploaded too many images. Write to us to have old ones removed.')
  await prisma.appLogo.createMany({
    data: { organizationId, hash, bytes: drawn, createdAt: clock() },
    skipDuplicates: true,
  })
  return hash
}

/** Returns the PNG with this hash; null if there is none. */
export async function find({ prisma }: Core, hash: string): Promise<Uint8Array<ArrayBuffer> | null> {
  if (!hashPattern.test(hash)) return null
  const row = await prisma.appLogo.findFirst({ where: { hash }, select: { bytes: true } })
  return row?.bytes ?? null
}

/** Whether the organization uploaded it: a form may name no other. */
export async function has(
  { prisma }: Core,
  { organizationId, hash }: Readonly<{ organizationId: string; hash: string }>,
): Promise<boolean> {
  return (await prisma.appLogo.count({ where: { organizationId, hash } })) > 0
}

/** Redraws the image: upright, scaled into the logo's square, without the file's metadata. */
export async function drawAnew(bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const { pixelsMax, side } = logoLimits
  try {
    const drawn = await sharp(bytes, { limitInputPixels: pixelsMax, failOn: 'error' })
      .rotate()
      .resize(side, side, { fit: 'inside', withoutEnlargement: true })
      .png({ compressionLevel: 9 })
      .timeout({ seconds: logoMsMax / 1_000 })
      .toBuffer()
    return new Uint8Array(drawn)
  } catch (cause) {
    throw new Problem('validation', {
      field: 'logo',
      message: 'This image can’t be read or has too many pixels. Save it as a new PNG and try again.',
      cause,
    })
  }
}

function refused(message: string): Problem {
  return new Problem('validation', { field: 'logo', message })
}
