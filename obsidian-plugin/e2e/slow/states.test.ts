import { describeStates } from "../support/everyState";

describeStates(1);
