import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { secureRandom } from '../../src/lib/encodings.ts';
import { sleep } from '../../src/lib/time.ts';
import { WaitingLine } from '../../src/lib/waiting-line.ts';
import { changePassword, deleteAccount } from '../../src/operations/people/settings.ts';
import { confirmAddress, signUp } from '../../src/operations/people/sign-up.ts';
import { CrowdedError, passwordsIn } from '../../src/operations/people/steps/passwords.ts';
import { requestPasswordReset, resetPassword } from '../../src/operations/people/reset-password.ts';
import { signIn } from '../../src/operations/people/sign-in.ts';
import {
	BASE,
	PASSWORD,
	makeIdentity,
	newAddress,
	newFormId,
	newPerson,
	signUpAs,
	tokenOf,
} from '../support/identity.ts';

// Whatever hashes a password stands in one short line, since nothing else of an isolate goes on meanwhile.

const NEW_PASSWORD = 'three kettles humming';

const STRANGER = { network: '192.0.2', hasWorked: false };
const options = {
	restMs: 0,
	now: () => 0,
	sleep,
	later: (work: () => Promise<void>): void => void work(),
};
const roomyLine = () =>
	new WaitingLine({ ...options, places: 9, strangerPlaces: 9, placesPerNetwork: 9, placesPerKnown: 9 });

/** A line of one place. */
function shortLine() {
	return new WaitingLine({
		...options,
		places: 1,
		strangerPlaces: 1,
		placesPerNetwork: 1,
		placesPerKnown: 1,
	});
}

test('all that hashes is refused while the line is full: nothing is counted, nothing changes', async () => {
	const line = shortLine();
	const roomy = makeIdentity({ passwords: passwordsIn(roomyLine(), secureRandom) });
	const identity = makeIdentity({ passwords: passwordsIn(line, secureRandom) });
	const { services } = identity;
	const browser = {
		client: 'here',
		device: 'Firefox on Linux',
		formId: newFormId(),
		base: BASE,
		browserToken: null,
	};
	const address = newAddress();
	const { signedIn } = await newPerson(roomy, address);
	await requestPasswordReset(roomy.services, { ...browser, address });
	await roomy.settled();
	const resetToken = tokenOf(roomy.mails.at(-1) ?? { to: '', subject: '', text: '' });
	const confirmToken = await signUpAs(roomy, newAddress());
	const passwords = { current: PASSWORD, password: NEW_PASSWORD };
	const place = line.enter(STRANGER);
	const countsBefore = await countedAttempts();
	const hashing: readonly (() => Promise<unknown>)[] = [
		() =>
			signIn(services, {
				...browser,
				address,
				password: PASSWORD,
				earlierToken: null,
				challengeAnswer: null,
				work: null,
			}),
		() =>
			signUp(services, {
				...browser,
				address,
				password: PASSWORD,
				keepsAddress: true,
				visitor: null,
				work: null,
			}),
		() => confirmAddress(services, { ...browser, token: confirmToken, visitor: 'other', password: PASSWORD }),
		() => changePassword(services, signedIn, { ...browser, ...passwords }),
		() => deleteAccount(services, signedIn, { ...browser, password: PASSWORD, code: '' }),
	];
	for (const work of hashing) await expect(work()).rejects.toThrow(CrowdedError);
	expect(await countedAttempts()).toEqual(countsBefore);
	const reset = () => resetPassword(services, { ...browser, token: resetToken, password: NEW_PASSWORD });
	await expect(reset()).rejects.toThrow(CrowdedError);
	if (place !== null) line.leave(place);
	expect((await reset()).kind).toBe('changed');
	const request = {
		...browser,
		address,
		password: NEW_PASSWORD,
		earlierToken: null,
		challengeAnswer: null,
		work: null,
	};
	expect((await signIn(roomy.services, request)).kind).toBe('signed_in');
});

async function countedAttempts(): Promise<unknown> {
	return (await env.DB.prepare('SELECT key, count FROM throttles ORDER BY key').all()).results;
}
