import { describe, expect, test } from 'vitest'
import { publicName } from './public-name.ts'

const rule = publicName({ missing: 'Enter a name.', max: 60 })
const messageOf = (name: unknown) => rule.safeParse(name).error?.issues.map(({ message }) => message)

describe('a name that other people read', () => {
  test.each([
    'Tidepath Health',
    'Samplewood Health Apps, Inc.',
    'Dr. Robin O’Testwell-Nuñez Jr. (she/her)',
    'Zoë',
    'X Æ A-12',
    'C++ & C# tools: v2.0.1',
    '試験 花子',
    'テスト・ファミリー クリニック ABC',
    'Клиника Образец',
    'Κλινική Δοκιμή',
    'Сара Тествелл',
    'Олена Їжак',
    'Егор',
    'Роман Орехов',
    'Άννα Δοκιμή',
    'Άννα',
    'ΚΛΙΝΙΚΗ ΔΟΚΙΜΗ',
    'Acme Health',
    'عيادة تجريبية ١٢',
    'می\u200cنا نمونه',
    'क्लिनिक परीक्षण',
    'Nightly import 2026-11-24',
    'Password manager for clinics',
    'Fennmoor Family Practice',
    'Phòng khám Mẫu',
    '병원 시험 Test',
  ])('may be %j', (name) => {
    expect(messageOf(name)).toBeUndefined()
  })

  test.each([
    ['Security alert: confirm at the portal', 'looks like a message'],
    ['Action required', 'looks like a message'],
    ['Verify your account', 'looks like a message'],
    ['SANDPIPER SUPPORT', 'looks like a message'],
    ['Ｓｅｃｕｒｉｔｙ ａｌｅｒｔ', 'looks like a message'],
    ['𝐒𝐞𝐜𝐮𝐫𝐢𝐭𝐲 𝐚𝐥𝐞𝐫𝐭', 'looks like a message'],
    ['Confirm at evil.example', 'web and email addresses'],
    ['https://evil.example', 'web and email addresses'],
    ['evil。example', 'web and email addresses'],
    ['evil．example', 'web and email addresses'],
    ['www.evil', 'web and email addresses'],
    ['ask robin@samplewood.example', 'web and email addresses'],
    ['see 192.0.2.7', 'web and email addresses'],
    ['Call 1 (207) 555-0177', 'phone numbers'],
    ['Robin\u202eTestwell', 'invisible'],
    ['Robin\u200bTestwell', 'invisible'],
    ['Robin\u200dTestwell', 'invisible'],
    ['Robin\u00adTestwell', 'invisible'],
    ['Robin\u034fTestwell', 'invisible'],
    ['Robin\u3164Testwell', 'invisible'],
    ['Robin\u2800Testwell', 'invisible'],
    ['Robin\u{e0041}', 'invisible'],
    ['Robin\u0000', 'invisible'],
    ['Robin\ud800', 'invisible'],
    ['Tіdepath', 'one script'],
    ['Τidepath', 'one script'],
    ['Клиника Test', 'one script'],
    ['Раураӏ', 'look like Latin'],
    ['ЅСОРЕ', 'look like Latin'],
    ['аррӏе 2', 'look like Latin'],
    ['Ехасо Соrе'.replace('r', 'о'), 'look like Latin'],
    ['ΑΤΗΕΝΑ', 'look like Latin'],
    ['ορα', 'look like Latin'],
    ['<b>Robin</b>', 'ordinary punctuation'],
    ['✅ Verified app', 'ordinary punctuation'],
    ['$$$', 'ordinary punctuation'],
    ['…', 'one letter or digit'],
    ['Z̷̧̛̭̲̲a', 'fewer accents'],
    ['svc_tABCDEFG', 'keys and tokens'],
    ['x'.repeat(61), 'at most 60'],
    [' \t ', 'Enter a name.'],
    [undefined, 'Enter a name.'],
  ])('may not be %j', (name, part) => {
    expect(messageOf(name)).toEqual([expect.stringContaining(part)])
  })

  test('is tidied to one spelling', () => {
    expect(rule.parse('  Ｔｉｄｅｐａｔｈ \t\u00a0 Health ')).toBe('Tidepath Health')
  })

  test('of a megabyte is refused', () => {
    expect(messageOf('a.'.repeat(500_000))).toEqual(['Use at most 60 characters.'])
    expect(messageOf('1 '.repeat(4_999))).toEqual(['Use at most 60 characters.'])
  })

  test('by our own staff may use official words', () => {
    const official = publicName({ missing: 'x', max: 60, official: true })
    expect(official.safeParse('Urgent: sign-in to the portal is slow').success).toBe(true)
    expect(official.safeParse('See evil.example').success).toBe(false)
  })
})
