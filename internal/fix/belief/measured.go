package belief

// measured are the weights that scripts/calibrate found.
var measured = Prior
