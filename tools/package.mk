# The Makefile of src/ in the package, which `pkg install` runs: the project's own Makefile (knng.mk), its results going
# to where pkg copies from. pkg would take gateways that lie in src/ out of their +folder, and leave the plugin behind.
# pkg gives make as many jobs as there are processors, keeps its standard output and lets its standard error be seen.
all:
	@sh tools/progress.sh $(MAKE) --no-print-directory -f knng.mk INNER=../inst/+knng/+internal WERROR= all
.PHONY: all
