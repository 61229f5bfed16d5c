import { randomBytes, randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { testServices } from '../../../tests/support/services.ts'
import { createTeams } from '../../../tests/support/team.ts'
import { isProblem } from '../../contract/http/problems.ts'

const services = await testServices()
const { makeTeam } = createTeams(() => services)
const { logos } = services
const { organizationId } = await makeTeam()

const picture = (width: number, height = width) =>
  sharp({ create: { width, height, channels: 4, background: { r: 10, g: 92, b: 89, alpha: 1 } } })

async function refusalOf(bytes: Uint8Array): Promise<string> {
  const error = await logos.store({ organizationId, bytes }).catch((thrown: unknown) => thrown)
  if (!isProblem(error)) throw new Error('it was kept')
  expect({ kind: error.kind, field: error.field }).toEqual({ kind: 'validation', field: 'logo' })
  return error.message
}

test.each(['png', 'jpeg', 'webp'] as const)(
  'a %s is drawn anew, small, and found by its hash',
  async (format) => {
    const secret = 'taken at the home of Wren Testwell'
    const uploaded = await picture(800, 400)
      .withExif({ IFD0: { ImageDescription: secret } })
      .toFormat(format)
      .toBuffer()
    // What hides behind the picture goes too.
    const bytes = Buffer.concat([uploaded, Buffer.from('<script>alert(1)</script>')])

    const hash = await logos.store({ organizationId, bytes })
    const found = Buffer.from((await logos.find(hash)) ?? [])

    expect(await sharp(found).metadata()).toMatchObject({ format: 'png', width: 256, height: 128 })
    expect(found.includes('script') || found.includes(secret)).toBe(false)
    expect(await logos.store({ organizationId, bytes })).toBe(hash)
    expect(await logos.has({ organizationId, hash })).toBe(true)
    expect(await logos.has({ organizationId: randomUUID(), hash })).toBe(false)
  },
)

test('what is no such picture is refused, whatever it says of itself, and nothing is kept', async () => {
  const before = await services.prisma.appLogo.count()
  const whole = await picture(64).png().toBuffer()

  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
  expect(await refusalOf(svg)).toBe('Upload a PNG, JPEG or WebP image.')
  expect(await refusalOf(await picture(8).gif().toBuffer())).toBe('Upload a PNG, JPEG or WebP image.')
  expect(await refusalOf(new Uint8Array())).toBe('The file is empty. Choose another file.')
  expect(await refusalOf(whole.subarray(0, 40))).toContain('can’t be read')
  expect(await refusalOf(Buffer.concat([whole.subarray(0, 8), randomBytes(500)]))).toContain('can’t be read')
  expect(await refusalOf(await picture(5_000, 4_000).png().toBuffer())).toContain('too many pixels')
  expect(await refusalOf(Buffer.concat([whole, Buffer.alloc(600_000)]))).toContain('larger than 512 kB')
  expect(await services.prisma.appLogo.count()).toBe(before)
})

test('a hash that nobody uploaded, or that is none, finds nothing', async () => {
  expect(await logos.find('0'.repeat(64))).toBeNull()
  expect(await logos.find('../../etc/passwd')).toBeNull()
})
