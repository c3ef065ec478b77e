/** Whether a package, named by its folder, has been built since its sources were last changed. */
export function isBuilt(name: string): boolean;
