import { encode } from 'uqr';

// Light modules around the code, without which cameras do not find it (ISO/IEC 18004).
const QUIET_ZONE = 4;

/** A QR code, drawn on the server. Dark on light in either theme: not every camera reads the other way round. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
	const { data, size } = encode(text, { border: QUIET_ZONE, ecc: 'M' });
	const path = data
		.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
		.join('');
	return (
		<svg
			class="qr-code"
			viewBox={`0 0 ${size} ${size}`}
			role="img"
			aria-label={label}
			shape-rendering="crispEdges"
		>
			<rect width={size} height={size} fill="#fff" />
			<path d={path} fill="#000" />
		</svg>
	);
}
