import { z } from 'zod';
import { describeFault, parseAddress } from '../core/address/parse-address.ts';

// Fields that several forms share. The messages are shown next to the field.

/** A parsed address. */
export const addressField = z
	.string({ error: 'Enter your email address' })
	.trim()
	.min(1, 'Enter your email address')
	.transform((text, context) => {
		const parsed = parseAddress(text);
		if (parsed.ok) return parsed.address;
		context.addIssue({ code: 'custom', message: describeFault(parsed.reason) });
		return z.NEVER;
	});

/** A password as typed. The operation judges whether a new one is good enough. */
export const passwordField = z
	.string({ error: 'Enter your password' })
	.min(1, 'Enter your password')
	// No stored password is longer, and hashing a longer text costs time.
	.max(1_024, 'This password is too long');

/** A code of an app, or a recovery code, as typed. */
export const codeField = z
	.string({ error: 'Enter your code' })
	.trim()
	.min(1, 'Enter your code')
	.max(100, 'That is too long for a code');

/** The token of a link in a mail. */
export const linkToken = z.string({ error: 'This link is not complete' }).max(200);
