/** Where a launch without an account may lead: the Internet by https, this machine, and nowhere else. */
import { describe, expect, test } from 'vitest'
import { faultOfOpenAddress } from './open-launch.ts'

const own = {
  PUBLIC_ORIGIN: 'http://localhost:3000',
  FHIR_ORIGIN: 'https://fhir.portal.example',
  REST_ORIGIN: 'https://rest.portal.example',
  STATUS_ORIGIN: 'http://localhost:3000',
}

describe('is let through', () => {
  test.each([
    'https://app.example/launch?theme=dark',
    'https://xn--mnchen-3ya.example/launch',
    'https://app.example/launch?scope=patient/*.rs',
    'https://8.8.8.8/launch',
    'https://[2606:4700::1111]/launch',
    'http://localhost:4000/launch',
    'https://localhost:4000/launch',
    'http://127.0.0.1:4000/launch',
    'http://[::1]:4000/launch',
  ])('%s', (address) => {
    expect(faultOfOpenAddress(address, own)).toBeNull()
  })
})

describe('is refused with the reason', () => {
  test.each([
    ['not a url', 'complete URL'],
    ['/launch', 'complete URL'],
    ['javascript:alert(1)', 'https'],
    ['JavaScript:alert(1)', 'https'],
    ['java\nscript:alert(1)', 'complete URL'],
    ['data:text/html,<script>alert(1)</script>', 'complete URL'],
    ['vbscript:x', 'https'],
    ['file:///etc/passwd', 'https'],
    ['blob:https://app.example/1', 'https'],
    ['com.example.app:/launch', 'https'],
    ['http://app.example/launch', 'https'],
    ['https://wren@app.example/', 'user name'],
    ['https://portal.example:secret@app.example/', 'user name'],
    ['https://app.example/#launch', 'fragment'],
    ['https://app.example/#', 'fragment'],
    ['https://10.0.0.1/', 'private network'],
    ['https://172.16.4.4/', 'private network'],
    ['https://192.168.1.1/admin', 'private network'],
    ['https://169.254.169.254/latest/meta-data/', 'private network'],
    ['https://100.64.0.1/', 'private network'],
    ['https://0/', 'private network'],
    ['https://2130706433:8443/', null],
    ['https://0xa9fea9fe/', 'private network'],
    ['https://0251.0376.0251.0376/', 'private network'],
    ['https://127.0.0.2/', 'private network'],
    ['https://[::ffff:10.0.0.1]/', 'private network'],
    ['https://[fe80::1]/', 'private network'],
    ['https://[fd00::1]/', 'private network'],
    ['https://[::]/', 'private network'],
    ['https://metadata.google.internal/', 'private network'],
    ['https://METADATA.GOOGLE.INTERNAL./', 'private network'],
    ['https://printer.local/', 'private network'],
    ['https://nas.lan/', 'private network'],
    ['https://wiki.corp/', 'private network'],
    ['https://router.home.arpa/', 'private network'],
    ['https://app.localhost/', 'private network'],
    ['https://intranet/', 'private network'],
    ['http://localhost:3000/sign-out', 'This portal'],
    ['http://127.0.0.1:3000/sign-out', 'This portal'],
    ['http://[::1]:3000/sign-out', 'This portal'],
    ['https://localhost:3000/sign-out', 'This portal'],
    ['https://fhir.portal.example/r4/x/token', 'This portal'],
    ['https://fhir.portal.example./r4/x/token', 'This portal'],
    ['https://REST.portal.example/api/v1', 'This portal'],
    ['https://app.example/\\evil', 'complete URL'],
    ['https://*.app.example/', 'complete URL'],
  ])('%s', (address, reason) => {
    // 2130706433 is 127.0.0.1 as one number: this machine, in any spelling.
    if (reason === null) expect(faultOfOpenAddress(address, own)).toBeNull()
    else expect(faultOfOpenAddress(address, own)).toContain(reason)
  })
})
