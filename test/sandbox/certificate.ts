import { generateKeyPairSync, sign } from 'node:crypto';
import { LOOPBACK } from './listener.ts';

/** A certificate that nobody but itself vouches for, and its key, as PEM. */
export interface Certificate {
	readonly key: string;
	readonly cert: string;
}

// Tags of DER (X.690) as far as a certificate needs them.
const TAG = {
	integer: 0x02,
	bits: 0x03,
	octets: 0x04,
	oid: 0x06,
	utf8: 0x0c,
	utcTime: 0x17,
	sequence: 0x30,
	set: 0x31,
	dnsName: 0x82,
	ipAddress: 0x87,
	version: 0xa0,
	extensions: 0xa3,
} as const;
const COMMON_NAME = '550403';
const SUBJECT_ALT_NAME = '551d11';
const ECDSA_WITH_SHA256 = '2a8648ce3d040302';

/** Its last moment was years ago. */
export const LONG_EXPIRED = ['20200101000000Z', '20210101000000Z'] as const;

/**
 * Makes a self-signed certificate (RFC 5280 §4.1) for a name and for loopback, with no program and no package: the sandbox starts on any machine.
 *
 * @param valid its first and last moment, `20260101000000Z`, before 2050
 */
export function makeCertificate(
	valid: readonly [string, string] = ['20260101000000Z', '20460101000000Z'],
	name = 'mx.test',
): Certificate {
	const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
	const algorithm = der('sequence', der('oid', Buffer.from(ECDSA_WITH_SHA256, 'hex')));
	const attribute = der(
		'sequence',
		der('oid', Buffer.from(COMMON_NAME, 'hex')),
		der('utf8', Buffer.from(name)),
	);
	const whose = der('sequence', der('set', attribute));
	const names = der(
		'sequence',
		der('dnsName', Buffer.from(name)),
		der('ipAddress', Buffer.from(LOOPBACK.split('.').map(Number))),
	);
	const alternatives = der(
		'sequence',
		der('oid', Buffer.from(SUBJECT_ALT_NAME, 'hex')),
		der('octets', names),
	);
	const toBeSigned = der(
		'sequence',
		der('version', der('integer', Buffer.of(2))),
		der('integer', Buffer.of(1)),
		algorithm,
		whose,
		// RFC 5280 §4.1.2.5: UTCTime, with two digits of the year, through 2049.
		der('sequence', ...valid.map((moment) => der('utcTime', Buffer.from(moment.slice(2))))),
		whose,
		publicKey.export({ type: 'spki', format: 'der' }),
		der('extensions', der('sequence', alternatives)),
	);
	const signature = der('bits', Buffer.of(0), sign('sha256', toBeSigned, privateKey));
	const lines =
		der('sequence', toBeSigned, algorithm, signature)
			.toString('base64')
			.match(/.{1,64}/g) ?? [];
	return {
		key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
		cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
	};
}

/** X.690 §8.1: tag, length, contents. */
function der(tag: keyof typeof TAG, ...parts: readonly Uint8Array[]): Buffer {
	const contents = Buffer.concat(parts);
	const { length } = contents;
	const octets =
		length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
	return Buffer.concat([Buffer.of(TAG[tag], ...octets), contents]);
}
