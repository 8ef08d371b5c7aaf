import { expect, test } from 'vitest';
import { contentDisposition, verifiedName } from '../../../src/core/csv/write.ts';
import { NO_FILTER } from '../../../src/core/jobs/report/listed-row.ts';
import { fileNameOf } from '../../../src/operations/jobs/export-results.ts';

test.each([
	'"; filename="evil.exe',
	'a\r\nSet-Cookie: session=evil',
	'a\nX: y',
	'../../etc/passwd',
	'..\\..\\boot.ini',
	'\u202Efdp.exe',
	'\0',
	'日本',
	'.htaccess',
	'a'.repeat(5_000),
])('the name of a file is plain letters, whatever the list is called: %j', (name) => {
	const named = fileNameOf(name, 'all', 'csv');
	expect(named).toMatch(/^[A-Za-z0-9][A-Za-z0-9._-]*-results\.csv$/);
	expect(named.length).toBeLessThan(120);
	expect(new Headers({ 'content-disposition': `attachment; filename="${named}"` }).has('set-cookie')).toBe(
		false,
	);
	const header = contentDisposition(verifiedName(name, NO_FILTER, 'csv'));
	expect(header).toMatch(/^attachment; filename="[A-Za-z0-9._ -]+"; filename\*=UTF-8''[A-Za-z0-9._~%-]+$/);
	expect(decodeURIComponent(header)).not.toMatch(/[\p{Cc}\p{Cf}/\\]/u);
});
