/** What models read and write belongs to its user and stays out of traces; only names, times and counts are told. */
export const NO_CONTENTS = { recordInputs: false, recordOutputs: false } as const;
