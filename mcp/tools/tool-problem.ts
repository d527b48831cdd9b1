/** The call can't be done as asked. The message is for the model, which can do better next time. */
export class ToolProblem extends Error {
  override name = "ToolProblem";
}
