import { expect, it } from 'vitest'
import type { SettingsKeeper } from './settingsKeeper.ts'
import { SettingsSync, type LocalSettings, type SettingsMemory } from './settingsSync.ts'
import type { SettingsDocument } from './settingsDocument.ts'

/** What is kept for a person, as the server keeps it. */
class Account {
  kept: { text: string; version: string } | null = null
  /** Called before each write is looked at. */
  onStore: () => Promise<void> = async () => undefined

  keeper(owner: string): SettingsKeeper {
    return {
      owner,
      load: async () => this.kept,
      store: async (text, version) => {
        await this.onStore()
        if ((this.kept?.version ?? null) !== version) return false
        this.kept = { text, version: `${Number(version ?? 0) + 1}` }
        return true
      },
    }
  }
}

class Browser implements LocalSettings, SettingsMemory {
  readonly values = new Map<string, string>()
  readonly documents = new Map<string, SettingsDocument>()
  #owner: { id: string; isWhole: boolean } | null = null
  onWrite = () => undefined as void

  owns = () => true
  read = async () => new Map(this.values)
  write: LocalSettings['write'] = async (changes, known) => {
    this.onWrite()
    for (const [key, value] of changes) {
      if (this.values.get(key) !== known.get(key)) continue
      if (value === undefined) this.values.delete(key)
      else this.values.set(key, value)
    }
  }
  owner = () => this.#owner
  setOwner(owner: { id: string; isWhole: boolean }) {
    this.#owner = owner
  }
  document = (owner: string) => this.documents.get(owner) ?? null
  setDocument(owner: string, document: SettingsDocument) {
    this.documents.set(owner, document)
  }
}

let now = 1
const sync = (account: Account, browser: Browser, owner = 'ada') =>
  new SettingsSync(account.keeper(owner), browser, browser, () => (now += 1)).run()

it('WB800: what is set in one browser is set in the next one, and what is removed is removed there', async () => {
  const account = new Account()
  const [one, other] = [new Browser(), new Browser()]
  one.values.set('size', '12')
  await sync(account, one)
  await sync(account, other)
  expect(other.values.get('size')).toBe('12')
  other.values.delete('size')
  await sync(account, other)
  await sync(account, one)
  expect(one.values.has('size')).toBe(false)
})

it('WB800: two browsers that write at once both keep what they have set', async () => {
  const account = new Account()
  const [one, other] = [new Browser(), new Browser()]
  await sync(account, one)
  await sync(account, other)
  one.values.set('size', '12')
  other.values.set('wrap', '"on"')
  let isFirst = true
  account.onStore = async () => {
    if (!isFirst) return
    isFirst = false
    await sync(account, other)
  }
  await sync(account, one)
  await sync(account, other)
  const both = [
    ['size', '12'],
    ['wrap', '"on"'],
  ]
  expect([...one.values].toSorted()).toEqual(both)
  expect([...other.values].toSorted()).toEqual(both)
})

it('WB801: what was set without an account is kept where the account says nothing else', async () => {
  const account = new Account()
  const [one, other] = [new Browser(), new Browser()]
  one.values.set('size', '12')
  await sync(account, one)
  other.values.set('size', '20')
  other.values.set('wrap', '"on"')
  await sync(account, other)
  expect(other.values.get('size')).toBe('12')
  await sync(account, one)
  expect(one.values.get('wrap')).toBe('"on"')
})

it('WB801: people who share a browser get none of each other, and lose nothing', async () => {
  const [ada, bob] = [new Account(), new Account()]
  const browser = new Browser()
  browser.values.set('size', '12')
  await sync(ada, browser, 'ada')
  // Set while nothing was listening.
  browser.values.set('wrap', '"on"')
  await sync(bob, browser, 'bob')
  expect(browser.values.size).toBe(0)
  expect(bob.kept).toBeNull()
  await sync(ada, browser, 'ada')
  expect(browser.values).toEqual(
    new Map([
      ['size', '12'],
      ['wrap', '"on"'],
    ]),
  )
})

it('WB801: a page that ends while it puts the settings of another person in place takes none for theirs', async () => {
  const [ada, bob] = [new Account(), new Account()]
  const browser = new Browser()
  browser.values.set('size', '12')
  await sync(ada, browser, 'ada')
  browser.onWrite = () => {
    throw new Error('the page is gone')
  }
  await expect(sync(bob, browser, 'bob')).rejects.toThrow('the page is gone')
  browser.onWrite = () => undefined
  await sync(bob, browser, 'bob')
  expect(bob.kept).toBeNull()
  expect(browser.values.size).toBe(0)
})

it('WB800: what the person sets while the account is asked stays, and is kept with the next change', async () => {
  const account = new Account()
  const [one, other] = [new Browser(), new Browser()]
  one.values.set('size', '12')
  await sync(account, one)
  other.onWrite = () => void other.values.set('size', '14')
  await sync(account, other)
  expect(other.values.get('size')).toBe('14')
  await sync(account, other)
  await sync(account, one)
  expect(one.values.get('size')).toBe('14')
})
