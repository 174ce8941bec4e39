import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addressRefusal, ForbiddenTarget, publicAddresses, urlRefusal } from './address-guard.ts'

const hostOf = (url: string) => new URL(url).hostname

describe('an address that is refused', () => {
  test.each([
    ['10.0.0.1', 'private address 10.0.0.1'],
    ['172.16.0.1', 'private address 172.16.0.1'],
    ['172.31.255.255', 'private address 172.31.255.255'],
    ['192.168.1.1', 'private address 192.168.1.1'],
    ['127.0.0.1', 'loopback address 127.0.0.1'],
    ['127.255.255.255', 'loopback address 127.255.255.255'],
    ['169.254.169.254', 'link-local address 169.254.169.254'],
    ['100.64.0.1', 'shared (CGNAT) address 100.64.0.1'],
    ['100.127.255.255', 'shared (CGNAT) address 100.127.255.255'],
    ['0.0.0.0', 'unspecified address 0.0.0.0'],
    ['0.1.2.3', 'unspecified address 0.1.2.3'],
    ['224.0.0.1', 'multicast address 224.0.0.1'],
    ['255.255.255.255', 'reserved address 255.255.255.255'],
    ['240.0.0.1', 'reserved address 240.0.0.1'],
    ['198.18.0.1', 'reserved address 198.18.0.1'],
    ['192.0.0.192', 'reserved address 192.0.0.192'],
    ['192.0.2.7', 'documentation address 192.0.2.7'],
    ['198.51.100.7', 'documentation address 198.51.100.7'],
    ['203.0.113.7', 'documentation address 203.0.113.7'],
    ['::', 'unspecified address ::'],
    ['::1', 'loopback address ::1'],
    ['0:0:0:0:0:0:0:1', 'loopback address 0:0:0:0:0:0:0:1'],
    ['fe80::1', 'link-local address fe80::1'],
    ['fe80::1%eth0', 'link-local address fe80::1%eth0'],
    ['fc00::1', 'private address fc00::1'],
    ['fd00:ec2::254', 'private address fd00:ec2::254'],
    ['ff02::1', 'multicast address ff02::1'],
    ['2001:db8::1', 'documentation address 2001:db8::1'],
    ['100::1', 'reserved address 100::1'],
    ['5f00::1', 'reserved address 5f00::1'],
    ['not an address', 'no address not an address'],
  ])('%s', (address, reason) => {
    expect(addressRefusal(address)).toBe(reason)
  })
})

test.each([
  ['AWS, Azure, Google, DigitalOcean …', '169.254.169.254'],
  ['Azure’s wire server', '168.63.129.16'],
  ['the same, mapped', '::ffff:168.63.129.16'],
  ['the same by NAT64', '64:ff9b::a83f:8110'],
  ['Alibaba', '100.100.100.200'],
  ['Oracle', '192.0.0.192'],
  ['AWS containers', '169.254.170.2'],
  ['Tencent', '169.254.0.23'],
  ['Scaleway', '169.254.42.42'],
  ['AWS by IPv6', 'fd00:ec2::254'],
  ['Google by IPv6', 'fd20:ce::254'],
  ['Scaleway by IPv6', 'fd00:42::42'],
  ['OpenStack by IPv6', 'fe80::a9fe:a9fe'],
])('what a cloud tells its own machines is out of bounds: %s', (_, address) => {
  expect(addressRefusal(address)).toMatch(/address/)
})

test.each([
  ['mapped', '::ffff:10.0.0.1'],
  ['mapped, as hex', '::ffff:a00:1'],
  ['translated', '::ffff:0:10.0.0.1'],
  ['compatible', '::10.0.0.1'],
  ['NAT64', '64:ff9b::10.0.0.1'],
  ['local NAT64', '64:ff9b:1::10.0.0.1'],
  ['6to4', '2002:a00:1::1'],
  ['Teredo server', '2001:0:a00:1::1'],
  ['Teredo client', '2001:0:101:101:0:0:f5ff:fffe'],
  ['ISATAP', '2606:4700::5efe:10.0.0.1'],
])('an IPv4 address inside an IPv6 one does not slip through: %s', (_, address) => {
  expect(addressRefusal(address)).toMatch(/address/)
})

test.each([
  '1.1.1.1',
  '93.184.216.34',
  '100.63.255.255',
  '100.128.0.0',
  '172.15.0.1',
  '172.32.0.1',
  '169.253.0.1',
  '168.63.129.15',
  '2606:4700:4700::1111',
  '2a00:1450:4001::200e',
  '::ffff:1.1.1.1',
  '64:ff9b::1.1.1.1',
  '2002:101:101::1',
  '[2606:4700:4700::1111]',
])('the public address %s is let through', (address) => {
  expect(addressRefusal(address)).toBeUndefined()
})

test.each([
  'http://2130706433/',
  'http://0x7f000001/',
  'http://0177.0.0.1/',
  'http://127.1/',
  'http://0x7f.1/',
  'http://①②⑦.⓪.⓪.①/',
  'http://127.0.0.1./',
  'http://[::ffff:7f00:1]/',
  'http://[0:0:0:0:0:ffff:127.0.0.1]/',
  'http://0/',
  'http://3232235777/',
])('%s is recognised however the address is written', (url) => {
  expect(addressRefusal(hostOf(url))).toMatch(/^(loopback|unspecified|private) address/)
})

test('of a host with public and private addresses only the public ones are used', () => {
  expect(publicAddresses(['10.0.0.1', '1.1.1.1', '::1'])).toEqual(['1.1.1.1'])
  expect(() => publicAddresses(['10.0.0.1', '::1'])).toThrow(
    new ForbiddenTarget('private address 10.0.0.1'),
  )
})

test('whatever wraps an IPv4 address, the answer is that of the address itself', () => {
  fc.assert(
    fc.property(fc.ipV4(), (ip) => {
      const refused = addressRefusal(ip) !== undefined
      for (const wrapped of [`::ffff:${ip}`, `64:ff9b::${ip}`])
        expect(addressRefusal(wrapped) !== undefined).toBe(refused)
    }),
  )
})

test.each(['ftp://example.org/', 'file:///etc/passwd', 'gopher://example.org/'])(
  '%s has no scheme of the web',
  (url) => {
    expect(urlRefusal(new URL(url))).toMatch(/^scheme/)
  },
)

test.each([22, 25, 6667, 0, 10080])('port %i belongs to another protocol', (port) => {
  expect(urlRefusal(new URL(`http://example.org:${port}/`))).toBe(`port ${port}`)
})

test.each(['', ':80', ':443', ':8080', ':65535', ':3000'])('port %j is fine', (port) => {
  expect(urlRefusal(new URL(`https://example.org${port}/`))).toBeUndefined()
})
