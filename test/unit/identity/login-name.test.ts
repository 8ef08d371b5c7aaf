import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isMailProvider, trialKey, trialMailbox, trialsAt } from '../../../src/core/identity/login-name.ts';

test.each([
	['a.da+shop@googlemail.com', 'ada@gmail.com'],
	['ada+shop@inbox.test', 'ada@inbox.test'],
	['a_d-a+shop@pm.me', 'ada@proton.me'],
	['a.da@protonmail.com', 'ada@proton.me'],
	// Yahoo's disposable addresses have a hyphen, and no other name there has.
	['ada-shop@yahoo.com', 'ada@yahoo.com'],
	['ada-shop@ymail.com', 'ada@ymail.com'],
	['ada-shop@inbox.test', 'ada-shop@inbox.test'],
	// Sub-domain addressing of a provider; a company's sub-domain holds mailboxes of its own.
	['shop@ada.fastmail.com', 'ada@fastmail.com'],
	['shop@ada.fastmail.fm', 'ada@fastmail.fm'],
	['shop@eu.company.com', 'shop@eu.company.com'],
	['ada@yahoo.co.uk', 'ada@yahoo.co.uk'],
	['a.d.a@inbox.test', 'a.d.a@inbox.test'],
	// A company's domain at Google counts dots, and a name is no provider because another one ends like it.
	['a.da@company.test', 'a.da@company.test'],
	['a.da@notgmail.com', 'a.da@notgmail.com'],
	['a.da@gmail.com.test', 'a.da@gmail.com.test'],
	['+ada@inbox.test', '+ada@inbox.test'],
	['"a.d+a"@gmail.com', '"a.d+a"@gmail.com'],
])('%s leads to the mailbox %s', (loginName, mailbox) => {
	expect(trialMailbox(loginName)).toBe(mailbox);
});

test('every spelling of a mailbox of Gmail is remembered under one name', () => {
	const letters = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz0123456789'.split(''));
	const name = fc.array(letters, { minLength: 1, maxLength: 20 });
	const dots = fc.array(fc.boolean(), { minLength: 20, maxLength: 20 });
	const tag = fc.option(fc.stringMatching(/^[a-z0-9.+_-]{1,10}$/), { nil: null });
	const domain = fc.constantFrom('gmail.com', 'googlemail.com');
	fc.assert(
		fc.property(name, dots, tag, domain, (characters, dotted, ending, at) => {
			const spelled = characters.map((letter, n) => (n > 0 && dotted[n] === true ? `.${letter}` : letter));
			const loginName = `${spelled.join('')}${ending === null ? '' : `+${ending}`}@${at}`;
			expect(trialKey(loginName)).toBe(trialKey(`${characters.join('')}@gmail.com`));
		}),
	);
});

test('the mailbox of a mailbox is itself, and another local part is another mailbox elsewhere', () => {
	const local = fc.stringMatching(/^[a-z0-9][a-z0-9.+]{0,15}$/);
	const domain = fc.constantFrom('gmail.com', 'googlemail.com', 'inbox.test');
	fc.assert(
		fc.property(local, domain, (localPart, at) => {
			const mailbox = trialMailbox(`${localPart}@${at}`);
			expect(trialMailbox(mailbox)).toBe(mailbox);
			if (!localPart.includes('+'))
				expect(trialMailbox(`${localPart}@inbox.test`)).toBe(`${localPart}@inbox.test`);
		}),
	);
});

test.each([
	['a large operator', 'gmail.com', null],
	['a large operator’s other country', 'yahoo.co.uk', null],
	['a privacy relay', 'duck.com', 100],
	['a provider that is listed', 'freemail.hu', 100],
	['a name below one that is listed', 'eu.freemail.hu', 100],
	['any other domain', 'company.com', 3],
])('trials at %s (%s): %s', (_, domain, limit) => {
	expect(trialsAt(`ada@${domain}`, isMailProvider)?.throttle.limit ?? null).toBe(limit);
});

test('trials of a domain’s owner are counted together', () => {
	const keys = ['company.com', 'eu.company.com'].map(
		(domain) => trialsAt(`ada@${domain}`, isMailProvider)?.key,
	);
	expect(new Set(keys).size).toBe(1);
	expect(trialsAt('ada@inbox.test', () => true)).toBeNull();
});

test('trials of a privacy relay are counted together, at all its domains and the sub-domains that it gives away', () => {
	const keysAt = (...domains: readonly string[]) =>
		new Set(domains.map((domain) => trialsAt(`ada@${domain}`, isMailProvider)?.key));
	expect(keysAt('simplelogin.com', 'aleeas.com', 'dralias.com', 'me.slmail.me').size).toBe(1);
	expect(keysAt('duck.com', 'privaterelay.appleid.com', 'mozmail.com', '33mail.com', 'opayq.com').size).toBe(
		5,
	);
});
