import type { LockedPackage } from './lock.ts';

interface Component {
	readonly 'bom-ref': string;
	readonly name: string;
	readonly version?: string;
}

/** The parts of a CycloneDX document that we touch. */
export interface Bom {
	readonly metadata: { readonly component: Component };
	readonly components: readonly Component[];
	readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

export function readBom(json: string): Bom {
	return JSON.parse(json) as Bom;
}

/**
 * What is shipped, out of the document of all packages. `npm sbom --omit=dev` leaves out packages that a tool needs as
 * well (zod is one), so the lock file decides.
 */
export function shippedBom(bom: Bom, packages: readonly LockedPackage[]): Bom {
	const shipped = new Set(
		packages.filter(({ isShipped }) => isShipped).map(({ name, version }) => `${name}@${version}`),
	);
	// npm calls the project as its folder is called.
	const self = bom.metadata.component;
	const own = { ...self, name: self['bom-ref'].replace(/@.*/, '') };
	return {
		...bom,
		metadata: { ...bom.metadata, component: own },
		components: bom.components.filter((one) => shipped.has(one['bom-ref'])),
		dependencies: bom.dependencies
			.filter(({ ref }) => shipped.has(ref) || ref === self['bom-ref'])
			// The client is a workspace of the project's own name.
			.filter(({ ref }, at, all) => all.findIndex((one) => one.ref === ref) === at)
			.map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => shipped.has(one)) })),
	};
}
